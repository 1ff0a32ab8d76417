import { createHmac } from "node:crypto";

/** Returns the first eight bytes of an HMAC-SHA256 as decimal text of a signed 64-bit integer. */
export const pseudonymOf = (key: Buffer, text: string): string =>
  createHmac("sha256", key).update(text).digest().readBigInt64BE(0).toString();
