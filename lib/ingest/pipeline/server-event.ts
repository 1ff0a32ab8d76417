import type { KnownAgent } from "@/lib/ingest/enrich/agent";
import type { Referrer } from "@/lib/ingest/event/values";
import type { Sender } from "@/lib/ingest/pipeline/pipeline";

/** What software calls itself that reads pages for its operator; HTTP libraries use none of these words. */
const CRAWLER_WORDS = /^Mozilla\/|bot|crawl|spider|scrap|slurp/i;
/** Senders of webhooks that lists of crawlers name, and a library whose user agent begins like a browser's. */
const SENDERS = /hook|^(Stripe|WordPress|Zapier)\b|\bWindowsPowerShell\//i;

/**
 * Whether a call to the Events API is a server's own: without `Origin`, by no browser and by no declared crawler. HTTP
 * libraries (curl, python-requests, Go-http-client), webhooks, and calls without a user agent are.
 */
export const isServerEvent = ({ page, vouched, userAgent }: Sender, agent: KnownAgent): boolean =>
  !vouched && !page && (SENDERS.test(userAgent) || !(agent.isBrowser || isDeclaredCrawler(userAgent, agent)));

function isDeclaredCrawler(userAgent: string, { verdict }: KnownAgent): boolean {
  const isListed = verdict?.reason === "ai_agent" || verdict?.reason === "crawler";
  return isListed || (verdict !== null && CRAWLER_WORDS.test(userAgent));
}

/** What led to an event that belongs to no visit: nothing is known, which is not the same as a direct visit. */
export const UNKNOWN_REFERRER: Referrer = { source: "", channel: "", url: "", rule: "" };
