import { randomFillSync } from "node:crypto";

/** The kernel is asked for so many at once: to ask for each event takes longer than everything else about its ids. */
const POOL_BYTES = 8_192;

const pool = Buffer.allocUnsafe(POOL_BYTES);
let used = POOL_BYTES;

/** Random bytes for ids. They are valid until the next call: their caller makes them text or a number at once. */
export function freshBytes(count: number): Buffer {
  if (used + count > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  used += count;
  return pool.subarray(used - count, used);
}
