import { readFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";
import { expect, test } from "vitest";

test.each([
  ["script.js", 1_536],
  ["script.full.js", 3_072],
])("%s is at most %i bytes as browsers download it, with Brotli", (name, max) => {
  expect(brotliCompressSync(readFileSync(`public/${name}`)).length).toBeLessThanOrEqual(max);
});
