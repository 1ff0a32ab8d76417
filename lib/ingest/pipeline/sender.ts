import type { KnownAgent } from "@/lib/ingest/enrich/agent";
import type { Referrer } from "@/lib/ingest/event/decided-event";
import type { SentEvent } from "@/lib/ingest/event/sent-event";
import type { Sender } from "@/lib/ingest/pipeline/pipeline";

/** Words in user agents of crawlers; HTTP libraries use none of them. */
const CRAWLER_WORDS = /^Mozilla\/|bot|crawl|spider|scrap|slurp/i;
/** Webhook senders that lists of crawlers contain, and a library whose user agent begins like a browser's. */
const WEBHOOK_SENDERS = /hook|^(Stripe|WordPress|Zapier)\b|\bWindowsPowerShell\//i;

/**
 * Whether a call to the Events API is a server's own: without `Origin`, and by neither a browser nor a declared
 * crawler. True for HTTP libraries (curl, python-requests, Go-http-client), webhooks and calls without a user agent.
 */
export const isServerEvent = ({ page, vouched, userAgent }: Sender, agent: KnownAgent): boolean =>
  !vouched && !page && (WEBHOOK_SENDERS.test(userAgent) || !(agent.isBrowser || isDeclaredCrawler(userAgent, agent)));

function isDeclaredCrawler(userAgent: string, { verdict }: KnownAgent): boolean {
  const isListed = verdict?.reason === "ai_agent" || verdict?.reason === "crawler";
  return isListed || (verdict !== null && CRAWLER_WORDS.test(userAgent));
}

/**
 * Whether nothing tells who an event is about: a server sent it and names no user, session or address. A user agent
 * alone identifies a declared crawler, but would make one visitor of all people who share it.
 */
export const isAnonymous = (
  { user_id, session_id }: SentEvent,
  sender: Sender,
  { address, agent }: { address: string | null; agent: KnownAgent },
): boolean =>
  address === null &&
  !user_id &&
  !session_id &&
  (sender.vouched ? !isDeclaredCrawler(sender.userAgent, agent) : isServerEvent(sender, agent));

/** The referrer of an event without a visit: unknown, which is not the same as direct. */
export const UNKNOWN_REFERRER: Referrer = { source: "", channel: "", url: "", rule: "" };
