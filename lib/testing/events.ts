import { saltsFor } from "@/lib/ingest/identity/salts";
import { processEvent } from "@/lib/ingest/pipeline/pipeline";
import { type IngestSite, siteByDomain } from "@/lib/ingest/site/sites";
import { reserveTimestamps } from "@/lib/ingest/store/arrival-time";
import type { EventRow } from "@/lib/ingest/store/event-row";
import { CHROME } from "@/lib/testing/world";

/** An event of one browser, understood and not yet written. */
export async function hitOf(host: string, name: string, at = "2025-03-04T12:00:00Z"): Promise<EventRow> {
  const site = (await siteByDomain(host)) as IngestSite;
  const sender = { address: "203.0.113.5", userAgent: CHROME, gpc: false };
  const now = new Date(at);
  const hit = processEvent(
    { name },
    { site, salts: await saltsFor(site, now), sender, now, timestamp: reserveTimestamps(now, 1) },
  );
  if ("filtered" in hit) throw new Error("filtered");
  return hit;
}
