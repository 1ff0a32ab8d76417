import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** What a server signs when it forwards the address of a visitor: each part exactly as it was sent. */
export interface Signed {
  ip: string;
  timestamp: string;
  signature: string;
}

const OLDEST_MS = 5 * 60_000;
const AHEAD_MS = 60_000;

/** Whether a timestamp, in Unix seconds or RFC 3339, is at most five minutes old and one minute ahead. */
export function isRecent(timestamp: string, now: Date): boolean {
  const at = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) * 1000 : parseTimestamp(timestamp);
  const age = now.getTime() - at;
  return age <= OLDEST_MS && age >= -AHEAD_MS;
}

/** Parses RFC 3339 with an offset; NaN for anything else. */
const parseTimestamp = (text: string): number =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i.test(text)
    ? Date.parse(text.toUpperCase())
    : Number.NaN;

/**
 * Whether the signature is the HMAC-SHA256, under the key, of timestamp, newline, address, newline and the raw body's
 * SHA-256 in lowercase hex. Compared in constant time.
 */
export function isSigned({ ip, timestamp, signature }: Signed, body: Uint8Array, key: string | Uint8Array): boolean {
  if (!/^[0-9a-f]{64}$/.test(signature)) return false;
  const bodyHash = createHash("sha256").update(body).digest("hex");
  const expected = createHmac("sha256", key).update(`${timestamp}\n${ip}\n${bodyHash}`).digest();
  return timingSafeEqual(expected, Buffer.from(signature, "hex"));
}
