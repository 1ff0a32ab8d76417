// Bundles what runs outside Next: the server, the seed, the benchmarks, and the tracker for the browser.
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

/** Writes `build/<name>.mjs` for the server's entries (and `extra`), and `public/script.js`. */
export async function bundleServer(extra = {}) {
  await Promise.all([
    build({
      absWorkingDir: root,
      entryPoints: { main: "lib/server/main.ts", seed: "prisma/seed.ts", ...extra },
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
    }),
    build({
      absWorkingDir: root,
      entryPoints: ["lib/tracker/script.ts"],
      outfile: "public/script.js",
      bundle: true,
      minify: true,
      format: "iife",
      target: "es2018",
      logLevel: "warning",
    }),
  ]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleServer();
