import { readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";

/** `npm run bench tracker`: the bytes that a visitor's browser loads, compared with our targets and Umami's script. */
const UMAMI_BYTES = 2_229;
const TARGET_BYTES = { "script.js": 1_536, "script.full.js": 3_072 };

for (const [name, target] of [...Object.entries(TARGET_BYTES), ["footfall.mjs", null] as const]) {
  const script = readFileSync(`public/${name}`);
  const gzip = gzipSync(script, { level: 9 }).length;
  const sizes = `raw ${script.length} B   gzip -9 ${gzip} B   brotli ${brotliCompressSync(script).length} B`;
  const verdict = target && `   target ${target} B: ${gzip <= target ? "met" : "MISSED"} (${share(gzip, target)})`;
  print(`${name.padEnd(15)} ${sizes}${verdict ?? ""}   ${share(gzip, UMAMI_BYTES)} of Umami's`);
}

function share(bytes: number, of: number): string {
  return `${Math.round((100 * bytes) / of)} %`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
