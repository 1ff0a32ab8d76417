import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { isRecent, isSigned } from "@/lib/ingest/site/signature";
import type { Incoming } from "@/lib/platform/http/http";

/** The address of a visitor, passed on by a server that signs it with its ingest key. */

/** Why a passed-on address is not used. The list is closed. Headers that stand there twice are read as one, with a comma. */
export const CLIENT_IP_REASONS = {
  incomplete: "one or two of the three headers are missing",
  stale:
    "the timestamp is not one time, in Unix seconds or RFC 3339, at most five minutes old and at most a minute ahead",
  bad_signature:
    "the signature is not the lowercase hex HMAC of exactly this timestamp, address and body under this key",
  not_an_address:
    "what was signed is not one IPv4 or IPv6 address of the public internet, without port, brackets and zone",
} as const;
export type ClientIpReason = keyof typeof CLIENT_IP_REASONS;

/** What came of the three headers; null when none was sent. `address` is for us, never for an answer. */
export type ClientIp = { accepted: true; address: string } | { accepted: false; reason: ClientIpReason } | null;

/**
 * The visitor's address that a request passes on, when its three headers hold together. They begin with
 * `X-Footfall-Client-IP`; the neutral `X-Service-Client-IP` is taken as well.
 *
 * @param body the raw bytes, as they were received.
 * @param secret the ingest key that the request carries.
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

/** Ranges that are nobody's own address on the internet. */
const NOT_A_VISITORS: ReadonlySet<string> = new Set([
  ...["unspecified", "broadcast", "multicast", "loopback", "linkLocal", "private", "uniqueLocal", "carrierGradeNat"],
]);

/** One spelling for one address: mapped IPv4 is IPv4; private ranges, zones, ports and lists are none. */
function publicAddress(text: string): string | null {
  if (isIP(text) === 0 || text.includes("%")) return null;
  const address = ipaddr.process(text);
  return NOT_A_VISITORS.has(address.range()) ? null : address.toString();
}
