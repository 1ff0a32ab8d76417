import type { DecidedEvent } from "@/lib/ingest/event/decided-event";

const KB = 1024;

/** Returns how often an event counts in the quota of its site: once for each started KB of text that is stored of it. */
export function unitsOf({ name, page, referrer, campaign, props }: DecidedEvent): number {
  const texts = [name, page?.hostname, page?.path, page?.title, referrer.url, props, ...Object.values(campaign ?? {})];
  const bytes = texts.reduce((sum, text) => sum + (text ? Buffer.byteLength(text) : 0), 0);
  return Math.max(1, Math.ceil(bytes / KB));
}
