import { NOWHERE } from "@/lib/ingest/enrich/geo";
import { NOBODY } from "@/lib/ingest/enrich/referrer";
import type { IngestSite } from "@/lib/ingest/site/sites";
import type { EventRow } from "@/lib/ingest/store/event-row";

const NO_PLACE = { ...NOWHERE, language: "" };
const UNKNOWN_AGENT = { browser: "", browser_version: "", os: "", os_version: "", device: "", screen: "", bot: "" };

/** Each field has its place from the beginning: an object that grows field by field costs several times as much. */
export function blankEventRow(site: IngestSite, timestamp: number, ofServer: boolean): EventRow {
  return {
    site,
    timestamp,
    key: null,
    ofPage: false,
    ofServer,
    type: "event",
    name: null,
    page: null,
    referrer: NOBODY,
    campaign: null,
    place: NO_PLACE,
    agent: UNKNOWN_AGENT,
    traffic: "human",
    verdict: null,
    visitors: [],
    userHash: null,
    returner: null,
    engagementMs: null,
    scroll: null,
    revenue: null,
    currency: null,
    props: null,
    scrubbed: [],
  };
}
