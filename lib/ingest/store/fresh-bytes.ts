import { randomFillSync } from "node:crypto";

/** Bytes read from the kernel at once: one call per event would take longer than everything else about its ids. */
const POOL_BYTES = 8_192;

const pool = Buffer.allocUnsafe(POOL_BYTES);
let used = POOL_BYTES;

/** Returns random bytes for ids. Valid until the next call: convert them to text or a number immediately. */
export function freshBytes(count: number): Buffer {
  if (used + count > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  used += count;
  return pool.subarray(used - count, used);
}
