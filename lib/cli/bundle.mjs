// Bundles the programs outside Next: the server, the seed, the benchmarks, and the tracker for browsers.
import { copyFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

/** esbuild options of the tracker. Our tsconfig is not used, because it adds "use strict". */
const browser = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  target: "es2020",
  alias: { "@": root },
  tsconfigRaw: "{}",
  define: { FOREIGN: "false" },
  logLevel: "warning",
};

/** esbuild options of Node programs. @type {import("esbuild").BuildOptions} */
export const program = {
  absWorkingDir: root,
  outdir: "build",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  sourcemap: true,
  alias: { "@": root },
  logLevel: "warning",
};

/** Writes `build/<name>.mjs` for these entries only, so it is safe beside a running server. */
export const bundleProgram = (entryPoints) => build({ ...program, entryPoints });

/** Writes `build/<name>.mjs` for the server's entries (and `extra`), and the tracker scripts into `public`. */
export async function bundleServer(extra = {}) {
  await Promise.all([
    bundleProgram({
      main: "lib/server/main.ts",
      ingest: "lib/server/ingest-worker.ts",
      analytics: "lib/analytics/process.ts",
      seed: "prisma/seed.ts",
      backup: "lib/cli/backup.ts",
      distribute: "lib/cli/distribute.ts",
      import: "lib/cli/import.ts",
      "import-log": "lib/cli/import-log.ts",
      ...extra,
    }),
    build({
      ...browser,
      entryPoints: { script: "lib/tracker/script.ts", "script.full": "lib/tracker/full.ts" },
      outdir: "public",
      format: "iife",
    }),
    build({ ...browser, entryPoints: ["lib/tracker/module.ts"], outfile: "public/footfall.mjs", format: "esm" }),
    build({
      ...browser,
      define: { FOREIGN: "true" },
      entryPoints: { plausible: "lib/tracker/foreign/plausible.ts", umami: "lib/tracker/foreign/umami.ts" },
      outdir: "public",
      format: "iife",
    }),
  ]);
  await copyFile(path.join(root, "lib/tracker/footfall.d.ts"), path.join(root, "public/footfall.d.mts"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleServer();
