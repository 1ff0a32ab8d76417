import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { env } from "@/lib/platform/env";
import { invalidInput } from "@/lib/platform/errors";
import { nearestUntrusted } from "@/lib/platform/http/address";
import type { Incoming } from "@/lib/platform/http/http";
import { addressRanges } from "@/lib/platform/networks";
import { unseal } from "@/lib/platform/secrets";
import { msg } from "@/lib/texts/translate";

/** The address of a visitor that a server forwards and signs with its ingest key, or that a proxy of the site forwards. */

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

/** Names under which the site's signing key and its previous signing key are sealed. */
export const signingKeyPlace = (siteId: number): string => `site.signing_key:${siteId}`;
export const previousKeyPlace = (siteId: number): string => `site.previous_key:${siteId}`;

/** The proxies of a site that may forward visitor addresses, compiled for use with every event. */
export interface SiteProxies {
  /** Whether the address is one of the site's proxies. */
  isTrusted(address: string): boolean;
  /** Whether the address is a proxy of the site or of this service, and therefore not a visitor. */
  isProxy(address: string): boolean;
  mustSign: boolean;
  /** The site's signing key and, while it is still valid, the previous one. Unsealed on first use. */
  keys(now: Date): Uint8Array[];
}

interface ProxyRow {
  id: number;
  trustedProxyIps: string[];
  requireSignature: boolean;
  signingKey: Uint8Array | null;
  previousKey: Uint8Array | null;
  previousKeyUntil: Date | null;
}

/** Compiles the proxies of a site; null for a site without any, which is the usual case. */
export function compileProxies(site: ProxyRow): SiteProxies | null {
  if (site.trustedProxyIps.length === 0) return null;
  const { signingKey, previousKey, previousKeyUntil } = site;
  let keys: { key: Uint8Array; until: number }[] | undefined;
  const unsealed = () => [
    ...(signingKey ? [{ key: unseal(signingKey, signingKeyPlace(site.id)), until: Number.POSITIVE_INFINITY }] : []),
    ...(previousKey && previousKeyUntil
      ? [{ key: unseal(previousKey, previousKeyPlace(site.id)), until: previousKeyUntil.getTime() }]
      : []),
  ];
  return {
    isTrusted: addressRanges(site.trustedProxyIps),
    isProxy: addressRanges([...site.trustedProxyIps, ...env().TRUSTED_PROXIES]),
    mustSign: site.requireSignature,
    keys(now) {
      keys ??= unsealed();
      return keys.filter(({ until }) => now.getTime() < until).map(({ key }) => key);
    },
  };
}

/** The visitor that an event belongs to. */
export interface Visitor {
  address: string | null;
  /** The address as a proxy of the site sent it; null when the request did not come through one. */
  forwarded: string | null;
}

/**
 * Returns the caller's address or, when that is a proxy of the site, the nearest address in `X-Forwarded-For` that is
 * not a proxy. Only the right end of that header was written by a trusted party. The signature is checked by
 * `checkForwarded`.
 *
 * @throws Refusal `invalid_input` when a proxy forwards something that is not an IP address.
 */
export function visitorOf(request: Incoming, proxies: SiteProxies | null, address: string | null): Visitor {
  if (!proxies || address === null || !proxies.isTrusted(address)) return { address, forwarded: null };
  const forwarded = request.header("x-forwarded-for");
  const visitor = forwarded === null ? null : nearestUntrusted(forwarded, proxies.isProxy);
  // A proxy that forwards no address is not a visitor itself.
  if (!visitor && !proxies.mustSign) return { address: null, forwarded: null };
  if (!visitor)
    throw invalidInput([{ path: "X-Forwarded-For", message: "must be sent and signed by this site's proxies" }]);
  if (visitor.address === null) {
    throw invalidInput([
      { path: "X-Forwarded-For", message: "does not end in an IP address; let the proxy append the visitor's address" },
    ]);
  }
  return { address: visitor.address, forwarded: visitor.sent };
}

/**
 * Checks the signature of a proxy that must sign what it forwards.
 *
 * @param body the raw bytes, which the signature covers.
 * @param site the cached proxies, and a function that reloads them when no cached key matches the signature.
 * @throws Refusal `invalid_input` for a missing, old or wrong signature.
 */
export function checkForwarded(
  request: Incoming,
  body: Uint8Array,
  { proxies, reload }: { proxies: SiteProxies | null; reload(): Promise<SiteProxies | null> },
  { forwarded, now }: { forwarded: string | null; now: Date },
): Promise<void> | undefined {
  if (!proxies?.mustSign || forwarded === null) return undefined;
  return requireSignature(request, body, { ip: forwarded, proxies, reload, now });
}

async function requireSignature(
  request: Incoming,
  body: Uint8Array,
  { ip, proxies, reload, now }: { ip: string; proxies: SiteProxies; reload(): Promise<SiteProxies | null>; now: Date },
): Promise<void> {
  const timestamp = request.header("x-footfall-timestamp");
  const signature = request.header("x-footfall-signature");
  if (timestamp === null || !isRecent(timestamp, now)) {
    throw invalidInput([
      {
        path: "X-Footfall-Timestamp",
        message:
          "must be sent by this site's proxies, in Unix seconds or RFC 3339, at most five minutes old and at most a minute ahead; set the clock by NTP",
      },
    ]);
  }
  const isValid = (some: SiteProxies | null) =>
    signature !== null && some?.keys(now).some((key) => isSigned({ ip, timestamp, signature }, body, key));
  if (isValid(proxies)) return;
  // A key that was just created works at once.
  if (signature !== null && isValid(await reload())) return;
  throw invalidInput([
    {
      path: "X-Footfall-Signature",
      message:
        "must be sent by this site's proxies: the lowercase hex HMAC-SHA256, under the site's signing key, of timestamp, newline, address, newline and the body's SHA-256",
    },
  ]);
}
