import { existsSync } from "node:fs";
import path from "node:path";
import { run, say } from "./programs.mjs";

/** The other line of Node that the product supports. Some programs of tests run only on it. */
const VERSION = "24.21.0";

export const isNode24 = process.versions.node.startsWith("24.");

/** @returns the path of Node 24, which is installed from its npm package if this is another Node. */
export function findNode24() {
  if (isNode24) return process.execPath;
  const folder = "node_modules/.cache/node-24";
  const program = path.resolve(folder, "node_modules/node/bin", process.platform === "win32" ? "node.exe" : "node");
  if (!existsSync(program)) {
    say(`Installing Node ${VERSION} for the tests`);
    // Its install script fetches the binary for this machine, which is a package too.
    run("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", `node@${VERSION}`], { quiet: true });
  }
  return program;
}
