import type { Reason } from "@/lib/ingest/enrich/verdict";
import { boundedMap } from "@/lib/platform/bounded-map";
import { countedAddress } from "@/lib/platform/counted-address";

/** What a browser says of itself beside its user agent, when it speaks for a page. */
export interface PageHeaders {
  acceptLanguage: string | null;
  /** `Sec-CH-UA`, which only browsers made of Chromium send, and only over a secure connection. */
  brands: string | null;
}

/**
 * What the headers of a page's own request say against its user agent, or null. Only what every unchanged browser does
 * is asked for: Chromium always names a language, and its hints bear its version.
 */
export function contradictionOf(userAgent: string, { acceptLanguage, brands }: PageHeaders): Reason | null {
  if (acceptLanguage !== null && brands === null) return null;
  const version = /\bChrome\/(\d+)/.exec(userAgent)?.[1];
  if (version !== undefined && !acceptLanguage) return "no_language";
  if (brands === null) return null;
  if (brands.includes("HeadlessChrome")) return "headless";
  const hinted = /"Chromium";\s*v="(\d+)/.exec(brands)?.[1];
  if (hinted === undefined) return null;
  const contradicts = version === undefined ? OTHER_ENGINE.test(userAgent) : version !== hinted;
  return contradicts ? "hints_contradict" : null;
}

/** Firefox, and Safari with every browser of an iPhone. */
const OTHER_ENGINE = /\b(Firefox|FxiOS|CriOS|EdgiOS)\/|\bVersion\/[\d.]+ (Mobile\/\w+ )?Safari\//;

/** Nobody opens five pages a second for a minute; a school behind one address, with one kind of browser, may open four. */
export const MOST_PAGES_A_MINUTE = 300;

/**
 * Bounded by about its bytes, because strangers choose user agents. A flood of user agents that has counts forgotten
 * gains nothing: each user agent is counted apart anyway.
 */
const counters = boundedMap<string, { minute: number; pages: number }>("page-rate", {
  maxSize: 24_000_000,
  sizeCalculation: (_, key) => key.length + 120,
  ttl: 60_000,
});

/** Counts a page that was opened. @returns whether this address and browser opened too many of the site within the minute. */
export function opensTooMany(siteId: number, address: string, userAgent: string, now: Date): boolean {
  const key = `${siteId}|${countedAddress(address)}|${userAgent}`;
  const minute = Math.floor(now.getTime() / 60_000);
  const counter = counters.get(key);
  if (counter?.minute !== minute) {
    counters.set(key, { minute, pages: 1 });
    return false;
  }
  counter.pages++;
  return counter.pages > MOST_PAGES_A_MINUTE;
}
