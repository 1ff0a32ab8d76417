import { addressRanges } from "@/lib/ingest/enrich/intervals";
import { isRecent, isSigned } from "@/lib/ingest/site/signature";
import { env } from "@/lib/platform/env";
import { invalidInput } from "@/lib/platform/errors";
import { nearestStranger } from "@/lib/platform/http/address";
import type { Incoming } from "@/lib/platform/http/http";
import { unseal } from "@/lib/platform/secrets";

/** Where the key that signs what a site's proxies forward is sealed, and where the one before it. */
export const signingKeyPlace = (siteId: number): string => `site.signing_key:${siteId}`;
export const previousKeyPlace = (siteId: number): string => `site.previous_key:${siteId}`;

/** The proxies of a site that may name its visitors, ready to be asked for every event. */
export interface SiteProxies {
  /** One of the site's own. */
  isTrusted(address: string): boolean;
  /** One of the site's own or of those in front of this service: no visitor. */
  isProxy(address: string): boolean;
  mustSign: boolean;
  /** The site's signing key and, for as long as it counts, the one before. Unsealed when the first is needed. */
  keys(now: Date): Uint8Array[];
}

interface Row {
  id: number;
  trustedProxyIps: string[];
  requireSignature: boolean;
  signingKey: Uint8Array | null;
  previousKey: Uint8Array | null;
  previousKeyUntil: Date | null;
}

/** Makes the proxies of a site ready; null for a site that has none, as nearly all. */
export function compileProxies(site: Row): SiteProxies | null {
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

/** Whom an event is about. */
export interface Visitor {
  address: string | null;
  /** The address as a proxy of the site sent it; null when there is none between. */
  forwarded: string | null;
}

/**
 * The caller or, when that is a proxy of the site, the nearest in `X-Forwarded-For` that is no proxy. Only the right end
 * of that header was written by someone we trust. Whether it must be signed is not looked at here: `checkForwarded`.
 *
 * @throws Refusal `invalid_input` for whom a proxy names by no address.
 */
export function visitorOf(request: Incoming, proxies: SiteProxies | null, address: string | null): Visitor {
  if (!proxies || address === null || !proxies.isTrusted(address)) return { address, forwarded: null };
  const forwarded = request.header("x-forwarded-for");
  const visitor = forwarded === null ? null : nearestStranger(forwarded, proxies.isProxy);
  // A proxy that names nobody is not a visitor itself.
  if (!visitor && !proxies.mustSign) return { address: null, forwarded: null };
  if (!visitor)
    throw invalidInput([{ path: "X-Forwarded-For", message: "is required of this site's proxies, signed" }]);
  if (visitor.address === null) {
    throw invalidInput([
      { path: "X-Forwarded-For", message: "does not end in an IP address; let the proxy add that of its visitor" },
    ]);
  }
  return { address: visitor.address, forwarded: visitor.sent };
}

/**
 * @param body the raw bytes, which a proxy that must sign has signed.
 * @param site its proxies as they are remembered, and as they stand now, when a signature fits no key that is remembered.
 * @throws Refusal `invalid_input` for what a proxy forwards without a good signature.
 */
export function checkForwarded(
  request: Incoming,
  body: Uint8Array,
  { proxies, renew }: { proxies: SiteProxies | null; renew(): Promise<SiteProxies | null> },
  { forwarded, now }: { forwarded: string | null; now: Date },
): Promise<void> | undefined {
  if (!proxies?.mustSign || forwarded === null) return undefined;
  return requireSignature(request, body, { ip: forwarded, proxies, renew, now });
}

async function requireSignature(
  request: Incoming,
  body: Uint8Array,
  { ip, proxies, renew, now }: { ip: string; proxies: SiteProxies; renew(): Promise<SiteProxies | null>; now: Date },
): Promise<void> {
  const timestamp = request.header("x-footfall-timestamp");
  const signature = request.header("x-footfall-signature");
  if (timestamp === null || !isRecent(timestamp, now)) {
    throw invalidInput([
      {
        path: "X-Footfall-Timestamp",
        message:
          "is required of this site's proxies: Unix seconds or RFC 3339, at most five minutes old and at most a minute ahead; set the clock by NTP",
      },
    ]);
  }
  const fits = (some: SiteProxies | null) =>
    signature !== null && some?.keys(now).some((key) => isSigned({ ip, timestamp, signature }, body, key));
  if (fits(proxies)) return;
  // A key that was made a moment ago counts at once.
  if (signature !== null && fits(await renew())) return;
  throw invalidInput([
    {
      path: "X-Footfall-Signature",
      message:
        "is required of this site's proxies: lowercase hex HMAC-SHA256, by the site's signing key, of timestamp, newline, address, newline and the body's SHA-256",
    },
  ]);
}
