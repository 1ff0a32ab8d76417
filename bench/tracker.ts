import { readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";

/** `npm run bench tracker`: the bytes a visitor's browser loads, against our target and Umami's script. */
const TARGET_BYTES = 1_536;
const UMAMI_BYTES = 2_229;

const script = readFileSync("public/script.js");
const gzip = gzipSync(script, { level: 9 }).length;
print(`public/script.js   raw ${script.length} B   gzip -9 ${gzip} B   brotli ${brotliCompressSync(script).length} B`);
print(`target ${TARGET_BYTES} B gzip: ${gzip <= TARGET_BYTES ? "met" : "MISSED"} (${share(gzip, TARGET_BYTES)})`);
print(`Umami ${UMAMI_BYTES} B gzip: ours is ${share(gzip, UMAMI_BYTES)} of it`);

function share(bytes: number, of: number): string {
  return `${Math.round((100 * bytes) / of)} %`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
