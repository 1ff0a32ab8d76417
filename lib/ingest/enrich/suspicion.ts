import { IN_MEMORY_SECONDS } from "@/lib/contract/storage-times";
import type { VerdictReason } from "@/lib/ingest/event/verdict";
import { boundedMap } from "@/lib/platform/bounded-map";
import { countedAddress } from "@/lib/platform/counted-address";

/** What a browser sends about itself besides its user agent, when the request comes from a page. */
export interface PageHeaders {
  acceptLanguage: string | null;
  /** `Sec-CH-UA`, which only Chromium browsers send, and only over a secure connection. */
  brands: string | null;
}

/**
 * Returns how the headers of a page's request contradict its user agent, or null. Checks only what every unmodified
 * browser does: Chromium always sends a language, and its hints have its version.
 */
export function contradictionOf(userAgent: string, { acceptLanguage, brands }: PageHeaders): VerdictReason | null {
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

/** Firefox, and Safari with all browsers on iOS. */
const OTHER_ENGINE = /\b(Firefox|FxiOS|CriOS|EdgiOS)\/|\bVersion\/[\d.]+ (Mobile\/\w+ )?Safari\//;

/** More than a person opens; a school behind one address with one browser version may open four pages a second. */
export const MAX_PAGES_PER_MINUTE = 300;

/**
 * Bounded by size, because user agents are untrusted. Evicting counts with a flood of user agents gains nothing: each
 * one is counted on its own anyway.
 */
const counters = boundedMap<string, { minute: number; pages: number }>("page-rate", {
  maxSize: 24_000_000,
  sizeCalculation: (_, key) => key.length + 120,
  ttl: IN_MEMORY_SECONDS * 1000,
});

/** Counts a pageview. @returns whether this address and browser opened too many pages of the site within the minute. */
export function opensTooMany(siteId: number, address: string, userAgent: string, now: Date): boolean {
  const key = `${siteId}|${countedAddress(address)}|${userAgent}`;
  const minute = Math.floor(now.getTime() / 60_000);
  const counter = counters.get(key);
  if (counter?.minute !== minute) {
    counters.set(key, { minute, pages: 1 });
    return false;
  }
  counter.pages++;
  return counter.pages > MAX_PAGES_PER_MINUTE;
}
