import type { Certificate } from "@/lib/platform/outbound/answer";
import { type Internet, readPage, Unreachable, type Why } from "@/lib/platform/outbound/outbound";

/** One look at a site's page from outside. */

const REDIRECTS = 5;

export interface Look {
  /** What is wrong with the page, as the end of a sentence about it; null when it is fine. */
  problem: string | null;
  /** What it answered; null for no answer. */
  status: number | null;
  tookMs: number;
  /** The name could not be looked up: whether that is the site's fault or ours cannot be told from it. */
  unsure: boolean;
  /** Whether the answer came over TLS, and the certificate on its way that ends first. */
  secure: boolean;
  certificate: Certificate | null;
}

export interface Looking {
  /** Until the answer has come, redirects included. Slower is no answer. */
  deadlineMs: number;
  /** Only for tests. */
  internet?: Internet;
}

/** What somebody is told of a page who has proved the domain. All of it was seen at a public address. */
const WHY: Record<Why, (deadlineMs: number) => string> = {
  refused: () => "takes no connection",
  silent: (deadlineMs) => `gave no answer within ${deadlineMs / 1000} seconds`,
  certificate_expired: () => "has a certificate that is over",
  certificate_unfit: () => "has a certificate that browsers do not take for its name",
  broken: () => "broke off in the middle of its answer",
};
const UNREAD = "could not be read";

/**
 * Looks at the page of a domain: by https, or by http as long as it was never seen with TLS; at `www.` when the name alone
 * leads nowhere. An answer counts as fine unless it is an error of the server (5xx) or says that there is no page (404,
 * 410): whoever turns robots away is there all the same.
 *
 * @param site.proven whether the domain was proved: only then is it told why a page cannot be read. What happens before a
 *   public address is reached (names, addresses that are not for strangers) is told to nobody.
 */
export async function lookAt(
  site: { host: string; secure: boolean; proven: boolean },
  { deadlineMs, internet }: Looking,
): Promise<Look> {
  const tell = (why: Why | null) => (site.proven && why ? WHY[why](deadlineMs) : UNREAD);
  let first: { look: Look; why: Why | null } | null = null;
  for (const scheme of site.secure ? ["https"] : ["https", "http"]) {
    for (const host of [site.host, `www.${site.host}`]) {
      const { look, why } = await read(`${scheme}://${host}/`, deadlineMs, internet, tell);
      if (look.status !== null) return look;
      if (!first || (first.why === null && why)) first = { look, why };
      // Somebody is there: under the other name would be another page.
      if (why) break;
    }
  }
  if (!first) throw new Error("Nothing was looked at");
  return first.look;
}

async function read(
  url: string,
  deadlineMs: number,
  internet: Internet | undefined,
  tell: (why: Why | null) => string,
): Promise<{ look: Look; why: Why | null }> {
  const began = performance.now();
  const took = () => Math.round(performance.now() - began);
  try {
    const page = await readPage(url, { limitBytes: 0, deadlineMs, redirects: REDIRECTS }, internet);
    const { status, certificate } = page;
    const bad = status >= 500 || status === 404 || status === 410;
    const problem = bad ? `answered ${status}` : null;
    const secure = page.url.startsWith("https:");
    return { look: { problem, status, tookMs: took(), unsure: false, secure, certificate }, why: null };
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    const { why, temporary } = error;
    const look = {
      problem: tell(why),
      status: null,
      unsure: temporary && why === null,
      secure: false,
      certificate: null,
    };
    return { look: { ...look, tookMs: took() }, why };
  }
}

const DAY_MS = 24 * 3600_000;
const ENDS_WITHIN_MS = 14 * DAY_MS;

/**
 * Whether a certificate should have been renewed by now: two weeks before its end, or at a third of its life when that is
 * shorter (short-lived ones are renewed days before).
 */
export function isEnding({ from, until }: Certificate, now: Date): boolean {
  const lifeMs = until.getTime() - from.getTime();
  return until.getTime() - now.getTime() < Math.min(ENDS_WITHIN_MS, lifeMs / 3);
}
