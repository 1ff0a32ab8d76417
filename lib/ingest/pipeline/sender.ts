import { type ClientHints, type KnownAgent, NO_AGENT, readAgent, refineAgent } from "@/lib/ingest/enrich/agent";
import type { PageHeaders } from "@/lib/ingest/enrich/classify";
import { anonymise } from "@/lib/ingest/enrich/geo";
import type { RequestSignature } from "@/lib/ingest/enrich/web-bot-auth";
import type { DecidedEvent } from "@/lib/ingest/event/decided-event";
import type { SentEvent } from "@/lib/ingest/event/sent-event";
import { type IdentityCache, pseudonymOf } from "@/lib/ingest/identity/visitor";
import type { IngestSite } from "@/lib/ingest/site/sites";

/** The sender of an event, as far as the request shows. */
export interface Sender {
  address: string | null;
  userAgent: string;
  gpc: boolean;
  /**
   * A server with a key sends events of its visitors: the address it forwards is a visitor's whatever the user agent,
   * and no user agent means that there was no browser, not that there was a robot.
   */
  vouched?: true;
  /** The request carries an ingest key of the site: nothing about it is suspicious. */
  keyed?: boolean;
  /** Headers of a request that the visitor's browser sent from a page. */
  page?: PageHeaders | null;
  /** User-Agent Client Hints of the browser. */
  hints?: ClientHints | null;
  /** The signature of an agent that signs its requests. */
  signature?: RequestSignature | null;
  /** Identities already computed for other events of the same request. */
  known?: IdentityCache;
}

/** Returns the agent that the sender's user agent and client hints describe. */
export function agentOf({ vouched, userAgent, hints }: Sender): KnownAgent {
  if (vouched && userAgent === "") return NO_AGENT;
  return refineAgent(readAgent(userAgent), userAgent, hints ?? null);
}

/** Returns the address of the event's visitor at the site's precision; null when the sender is not a browser. */
export function visitorAddress({ address, vouched }: Sender, site: IngestSite, agent: KnownAgent): string | null {
  if (address === null || !(agent.isBrowser || vouched)) return null;
  return site.anonymiseIp ? anonymise(address) : address;
}

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

/**
 * Returns the keys that an event id reserves. Ids of senders with an ingest key share one namespace of the site, and so
 * do the random ids of the browser script. Anybody can send any other id, so it is one of its visitor alone, or of its
 * server: nobody takes the id of another's order, or learns whether it exists.
 */
export function eventKeys(
  eventId: string,
  { vouched, keyed, address, userAgent }: Sender,
  site: IngestSite,
  { isPageKey, visitors }: Pick<DecidedEvent, "isPageKey" | "visitors">,
): string[] {
  if (vouched || keyed || isPageKey) return [eventId];
  const senders = visitors.length > 0 ? visitors : [pseudonymOf(site.userKey(), `server|${address}|${userAgent}`)];
  return senders.map((sender) => `${sender} ${eventId}`);
}
