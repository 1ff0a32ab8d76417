import { readAgent } from "@/lib/ingest/agent";

/** What a program that reads pages by itself calls itself. */
const CRAWLER_WORDS = /bot\b|crawl|spider|scrap/i;
/** Senders of webhooks whose names are on lists of crawlers, and a library that begins like a browser. */
const SENDERS = /^(WordPress|Zapier)\b|\bWindowsPowerShell\//i;

/**
 * Whether a request without an Origin is a server's own: its user agent is missing, or names a program such as a library for
 * HTTP that is neither a browser nor a crawler.
 */
export function isServerAgent(userAgent: string): boolean {
  if (userAgent === "" || SENDERS.test(userAgent)) return true;
  if (userAgent.startsWith("Mozilla/") || CRAWLER_WORDS.test(userAgent)) return false;
  const { isBrowser, verdict } = readAgent(userAgent);
  return !isBrowser && (verdict === null || verdict.reason === "robot_words");
}
