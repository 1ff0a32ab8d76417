// Makes browsers compile the scripts of every page in the background, which docs/adr/0013-compile-hints.md explains.
import { readFileSync, writeFileSync } from "node:fs";

/** Chromium's compile hint for a whole file: https://github.com/WICG/explicit-javascript-compile-hints-file-based */
const HINT = "//# allFunctionsCalledOnLoad\n";

/** Adds the hint to the scripts of a new build that every page loads: React and the runtime of Next.js. */
export function addCompileHints() {
  const { rootMainFiles } = JSON.parse(readFileSync(".next/build-manifest.json", "utf8"));
  for (const file of rootMainFiles.map((name) => `.next/${name}`)) {
    const script = readFileSync(file, "utf8");
    if (!script.startsWith(HINT)) writeFileSync(file, HINT + script);
  }
}
