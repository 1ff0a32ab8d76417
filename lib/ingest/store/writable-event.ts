import { dimensionValuesOf } from "@/lib/ingest/store/dimension-values";
import type { EventRow } from "@/lib/ingest/store/event-row";

/** What of a hit is written. */
export interface WritableEvent
  extends Pick<
      EventRow,
      | "timestamp"
      | "key"
      | "isPageKey"
      | "fromServer"
      | "type"
      | "traffic"
      | "visitors"
      | "userHash"
      | "returningVisitor"
    >,
    Pick<EventRow, "engagementMs" | "scroll" | "revenue" | "currency" | "props"> {
  siteId: number;
  timezone: string;
  /** Its words in each dictionary, in the order of `DICTIONARIES`, as `textOf` writes them; null for none. */
  words: (string | null)[];
  title: string | null;
}

export const writableOf = (hit: EventRow): WritableEvent => ({
  siteId: hit.site.id,
  timezone: hit.site.timezone,
  timestamp: hit.timestamp,
  key: hit.key,
  isPageKey: hit.isPageKey,
  fromServer: hit.fromServer,
  type: hit.type,
  traffic: hit.traffic,
  visitors: hit.visitors,
  userHash: hit.userHash,
  returningVisitor: hit.returningVisitor,
  engagementMs: hit.engagementMs,
  scroll: hit.scroll,
  revenue: hit.revenue,
  currency: hit.currency,
  props: hit.props,
  words: dimensionValuesOf(hit),
  title: hit.page?.title ?? null,
});
