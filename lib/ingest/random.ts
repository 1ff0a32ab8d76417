import { randomFillSync } from "node:crypto";

/** One call of the system's generator serves many small askers: each call costs a hundred times more than a few bytes do. */
const pool = Buffer.allocUnsafeSlow(4096);
let used = pool.length;

/** So many random bytes, at most 64. They are given once and never again. */
export function randomFew(bytes: number): Buffer {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const given = Buffer.from(pool.subarray(used, used + bytes));
  pool.fill(0, used, used + bytes);
  used += bytes;
  return given;
}
