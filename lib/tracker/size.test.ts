import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

test.each([
  ["script.js", 1_536],
  ["script.full.js", 3_072],
])("%s is at most %i bytes gzipped", (name, max) => {
  expect(gzipSync(readFileSync(`public/${name}`), { level: 9 }).length).toBeLessThanOrEqual(max);
});
