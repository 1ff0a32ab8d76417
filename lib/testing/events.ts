import type { DecidedEvent } from "@/lib/ingest/event/decided-event";
import { saltsFor } from "@/lib/ingest/identity/salts";
import { decideEvent } from "@/lib/ingest/pipeline/pipeline";
import { type IngestSite, siteByDomain } from "@/lib/ingest/site/sites";
import { reserveTimestamps } from "@/lib/ingest/store/arrival-time";
import { CHROME } from "@/lib/testing/world";

/** Returns a processed event of one browser, ready to write. */
export async function decidedEventOf(host: string, name: string): Promise<DecidedEvent> {
  const site = (await siteByDomain(host)) as IngestSite;
  const sender = { address: "203.0.113.5", userAgent: CHROME, gpc: false };
  const now = new Date("2025-03-04T12:00:00Z");
  const processed = decideEvent(
    { name },
    { site, salts: await saltsFor(site, now), sender, now, timestamp: reserveTimestamps(now, 1) },
  );
  if ("filtered" in processed) throw new Error("filtered");
  return processed;
}
