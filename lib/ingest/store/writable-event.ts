import { wordsOf } from "@/lib/ingest/store/dimension-values";
import type { EventRow } from "@/lib/ingest/store/event-row";

/** What of a hit is written. */
export interface WritableHit
  extends Pick<
      EventRow,
      "timestamp" | "key" | "ofPage" | "ofServer" | "type" | "traffic" | "visitors" | "userHash" | "returner"
    >,
    Pick<EventRow, "engagementMs" | "scroll" | "revenue" | "currency" | "props"> {
  siteId: number;
  timezone: string;
  /** Its words in each dictionary, in the order of `DICTIONARIES`, as `textOf` writes them; null for none. */
  words: (string | null)[];
  title: string | null;
}

export const writableOf = (hit: EventRow): WritableHit => ({
  siteId: hit.site.id,
  timezone: hit.site.timezone,
  timestamp: hit.timestamp,
  key: hit.key,
  ofPage: hit.ofPage,
  ofServer: hit.ofServer,
  type: hit.type,
  traffic: hit.traffic,
  visitors: hit.visitors,
  userHash: hit.userHash,
  returner: hit.returner,
  engagementMs: hit.engagementMs,
  scroll: hit.scroll,
  revenue: hit.revenue,
  currency: hit.currency,
  props: hit.props,
  words: wordsOf(hit),
  title: hit.page?.title ?? null,
});
