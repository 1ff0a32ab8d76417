import { DAY_MS } from "@/lib/platform/durations";
import { Fault } from "@/lib/platform/errors";
import type { Certificate } from "@/lib/platform/outbound/answer";
import { type ConnectionFault, type Internet, readPage, Unreachable } from "@/lib/platform/outbound/outbound";

/** Requests the page of a site and its certificate over the public internet. */

const REDIRECTS = 5;
/** A server that answers neither on one port nor the other leaves the second try less time. */
const ALL_TRIES = 1.5;

export interface PageCheck {
  /** What is wrong with the page, as the end of a sentence about it; null if nothing is. */
  problem: string | null;
  /** HTTP status of the response; null without one. */
  status: number | null;
  tookMs: number;
  /** The DNS lookup failed temporarily, so the fault may be the site's or ours. */
  unsure: boolean;
  /** Whether the response came over TLS. */
  secure: boolean;
  /** The first certificate to expire among those of all redirects. */
  certificate: Certificate | null;
}

export interface CheckOptions {
  /** Time limit for a response, including redirects. All tries of a check together have half as much again. */
  deadlineMs: number;
  /** For tests only. */
  internet?: Internet;
}

/** Detailed problems, shown only for verified domains. All of them occur after a public address was reached. */
const PROBLEMS: Record<ConnectionFault, (deadlineMs: number) => string> = {
  refused: () => "refuses connections",
  silent: (deadlineMs) => `did not respond within ${deadlineMs / 1000} seconds`,
  certificate_expired: () => "has an expired certificate",
  certificate_unfit: () => "has a certificate that browsers do not accept for its domain",
  broken: () => "closed the connection in the middle of its response",
};
const UNKNOWN_PROBLEM = "could not be read";

/**
 * Requests the page of a domain: over https, or over http if it was never seen with TLS; at `www.` if the domain itself
 * does not respond. Any response is fine except server errors (5xx) and missing pages (404, 410); others, such as 403,
 * may only block bots.
 *
 * @param site.proven whether the domain is verified. Only then is the reason of a failure reported, and never one from
 *   before a public address was reached (DNS, private addresses).
 */
export async function checkPage(
  site: { host: string; secure: boolean; proven: boolean },
  { deadlineMs, internet }: CheckOptions,
): Promise<PageCheck> {
  const explain = (why: ConnectionFault | null) => (site.proven && why ? PROBLEMS[why](deadlineMs) : UNKNOWN_PROBLEM);
  const started = performance.now();
  let first: { check: PageCheck; why: ConnectionFault | null } | null = null;
  const lost = new Set<string>();
  for (const scheme of site.secure ? ["https"] : ["https", "http"]) {
    for (const host of [site.host, `www.${site.host}`].filter((name) => !lost.has(name))) {
      const leftMs = Math.round(ALL_TRIES * deadlineMs - (performance.now() - started));
      if (leftMs <= 0) break;
      const { check, why } = await read(`${scheme}://${host}/`, Math.min(deadlineMs, leftMs), internet, explain);
      if (check.status !== null) return check;
      if (!first || (first.why === null && why)) first = { check, why };
      // A server was reached: the other name could be a different page.
      if (why) break;
      // The name has the same addresses, or none, whatever the scheme.
      lost.add(host);
    }
  }
  if (!first) throw new Fault("No page was requested");
  return { ...first.check, tookMs: Math.round(performance.now() - started) };
}

async function read(
  url: string,
  deadlineMs: number,
  internet: Internet | undefined,
  explain: (why: ConnectionFault | null) => string,
): Promise<{ check: PageCheck; why: ConnectionFault | null }> {
  const started = performance.now();
  const elapsedMs = () => Math.round(performance.now() - started);
  try {
    const page = await readPage(url, { limitBytes: 0, deadlineMs, redirects: REDIRECTS }, internet);
    const { status, certificate } = page;
    const bad = status >= 500 || status === 404 || status === 410;
    const problem = bad ? `responded with ${status}` : null;
    const secure = page.url.startsWith("https:");
    return { check: { problem, status, tookMs: elapsedMs(), unsure: false, secure, certificate }, why: null };
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    const { why, temporary } = error;
    const check = {
      problem: explain(why),
      status: null,
      unsure: temporary && why === null,
      secure: false,
      certificate: null,
    };
    return { check: { ...check, tookMs: elapsedMs() }, why };
  }
}

const EXPIRES_WITHIN_MS = 14 * DAY_MS;

/**
 * Returns whether a certificate should have been renewed by now: less than two weeks before it expires, or less than a
 * third of its lifetime if that is shorter (short-lived certificates are renewed only days before).
 */
export function isExpiring({ from, until }: Certificate, now: Date): boolean {
  const lifetimeMs = until.getTime() - from.getTime();
  return until.getTime() - now.getTime() < Math.min(EXPIRES_WITHIN_MS, lifetimeMs / 3);
}
