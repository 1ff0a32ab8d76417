import { DIRECT_REFERRER } from "@/lib/ingest/enrich/referrer";
import { unknownValue } from "@/lib/ingest/event/catalogue";
import type { DecidedEvent } from "@/lib/ingest/event/decided-event";
import type { IngestSite } from "@/lib/ingest/site/sites";

const UNKNOWN_PLACE = unknownValue("place");
const UNKNOWN_AGENT = unknownValue("agent");

/** Sets every field up front: an object that grows field by field costs several times as much. */
export function blankEventRow(site: IngestSite, timestamp: number): DecidedEvent {
  return {
    siteId: site.id,
    timezone: site.timezone,
    timestamp,
    keys: [],
    isPageKey: false,
    type: "event",
    name: null,
    page: null,
    referrer: DIRECT_REFERRER,
    campaign: null,
    place: UNKNOWN_PLACE,
    agent: UNKNOWN_AGENT,
    traffic: "human",
    verdict: null,
    visitors: [],
    userHash: null,
    returningVisitor: null,
    engagementMs: null,
    scroll: null,
    revenue: null,
    currency: null,
    props: null,
    scrubbed: [],
  };
}
