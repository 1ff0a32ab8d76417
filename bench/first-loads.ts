import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";

/**
 * `npm run bench first-loads [folder]`: the script that the first load of each page needs, gzip, in KB, of the build in `.next`. With the
 * `.next` folder of another build: the growth since. Counted is all script of a page's entry, also of the error pages around it, but not
 * what it loads later.
 */

interface Manifest {
  /** Scripts by the segments of a page: its layouts, its error pages and itself. */
  entryJSFiles?: Record<string, string[]>;
}

const MANIFEST = "page_client-reference-manifest.js";

/** Returns the KB of each page by its path without groups. */
function firstLoads(build: string): Map<string, number> {
  const { rootMainFiles } = JSON.parse(readFileSync(path.join(build, "build-manifest.json"), "utf8"));
  const sizes = new Map<string, number>();
  const sizeOf = (file: string): number => {
    const known = sizes.get(file) ?? gzipSync(readFileSync(path.join(build, file))).length / 1024;
    sizes.set(file, known);
    return known;
  };
  const app = path.join(build, "server/app");
  const manifests = readdirSync(app, { recursive: true, encoding: "utf8" }).filter(
    (name) => path.basename(name) === MANIFEST,
  );
  const pages = manifests.flatMap((name) => manifestsIn(path.join(app, name)));
  return new Map(
    pages.map(([key, { entryJSFiles = {} }]) => {
      const files = [...rootMainFiles, ...Object.values(entryJSFiles).flat()].map((file) =>
        file.replace(/^\/?_next\//, ""),
      );
      const page = key.replace(/\(\w+\)\//g, "").replace(/\/page$/, "") || "/";
      return [page, [...new Set(files)].reduce((sum, file) => sum + sizeOf(file), 0)];
    }),
  );
}

/** The file is a script that sets a global variable. */
function manifestsIn(file: string): [page: string, manifest: Manifest][] {
  const scope: { __RSC_MANIFEST?: Record<string, Manifest> } = {};
  new Function("globalThis", readFileSync(file, "utf8"))(scope);
  return Object.entries(scope.__RSC_MANIFEST ?? {});
}

const [other] = process.argv.slice(2);
if (other !== undefined && !existsSync(path.join(other, "build-manifest.json"))) {
  process.stderr.write(`${other} has no build-manifest.json: name the .next folder of a build.\n`);
  process.exit(2);
}
const before = other === undefined ? new Map<string, number>() : firstLoads(other);
const rows = [...firstLoads(".next")].map(([page, size]) => ({
  page,
  size,
  grown: size - (before.get(page) ?? Number.NaN),
}));
for (const { page, size, grown } of rows.sort((a, b) => b.size - a.size)) {
  const growth = Number.isNaN(grown) ? "" : ` (${grown < 0 ? "−" : "+"}${Math.abs(grown).toFixed(1)})`;
  process.stdout.write(`${size.toFixed(1)} KB${growth} ${page}\n`);
}
