import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { Incoming } from "@/lib/platform/http/http";
import { msg } from "@/lib/texts/translate";

/** The address of a visitor, forwarded by a server that signs it with its ingest key. */

/**
 * Why a forwarded address is not used. The list is closed. A header that is sent twice is read as one value with a
 * comma.
 */
export const CLIENT_IP_REASONS = {
  incomplete: msg("one or two of the three headers are missing"),
  stale: msg(
    "the timestamp is not a time in Unix seconds or RFC 3339, at most five minutes old and at most a minute ahead",
  ),
  bad_signature: msg(
    "the signature is not the lowercase hex HMAC of exactly this timestamp, address and body under this key",
  ),
  not_an_address: msg("the signed value is not one public IPv4 or IPv6 address without port, brackets and zone"),
} as const;
export type ClientIpReason = keyof typeof CLIENT_IP_REASONS;

/**
 * The result of reading the three headers; null when none was sent. `address` is internal and never part of a response.
 */
export type ClientIp = { accepted: true; address: string } | { accepted: false; reason: ClientIpReason } | null;

/**
 * Reads the visitor's address that a request forwards in three signed headers. They begin with `X-Footfall-Client-IP`;
 * the neutral `X-Service-Client-IP` is accepted too.
 *
 * @param body the raw bytes, as they were received.
 * @param secret the ingest key of the request.
 */
export function readClientIp(request: Incoming, body: Uint8Array, secret: string, now: Date): ClientIp {
  const sent = headersOf(request, "footfall") ?? headersOf(request, "service");
  if (!sent) return null;
  const { ip, timestamp, signature } = sent;
  if (ip === null || timestamp === null || signature === null) return { accepted: false, reason: "incomplete" };
  if (!isRecent(timestamp, now)) return { accepted: false, reason: "stale" };
  if (!isSigned({ ip, timestamp, signature }, body, secret)) return { accepted: false, reason: "bad_signature" };
  const address = publicAddress(ip);
  return address === null ? { accepted: false, reason: "not_an_address" } : { accepted: true, address };
}

function headersOf(request: Incoming, product: string) {
  const ip = request.header(`x-${product}-client-ip`);
  const timestamp = request.header(`x-${product}-client-ip-timestamp`);
  const signature = request.header(`x-${product}-client-ip-signature`);
  return ip === null && timestamp === null && signature === null ? null : { ip, timestamp, signature };
}

/** Ranges that contain no public addresses. */
const NOT_PUBLIC: ReadonlySet<string> = new Set([
  ...["unspecified", "broadcast", "multicast", "loopback", "linkLocal", "private", "uniqueLocal", "carrierGradeNat"],
]);

/** Normalises an address: mapped IPv4 becomes IPv4. Returns null for private ranges, zones, ports and lists. */
export function publicAddress(text: string): string | null {
  if (isIP(text) === 0 || text.includes("%")) return null;
  const address = ipaddr.process(text);
  return NOT_PUBLIC.has(address.range()) ? null : address.toString();
}

/** What a server signs when it forwards the address of a visitor: each part exactly as it was sent. */
interface Signed {
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
