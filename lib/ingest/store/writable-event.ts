import { dimensionValuesOf } from "@/lib/ingest/store/dimension-values";
import type { EventRow } from "@/lib/ingest/store/event-row";

/** The fields of an event that are written. */
export interface WritableEvent
  extends Pick<
      EventRow,
      "timestamp" | "keys" | "isPageKey" | "type" | "traffic" | "visitors" | "userHash" | "returningVisitor"
    >,
    Pick<EventRow, "engagementMs" | "scroll" | "revenue" | "currency" | "props"> {
  siteId: number;
  timezone: string;
  /** Its value in each dictionary, in the order of `DICTIONARIES`, as written by `textOf`; null for none. */
  values: (string | null)[];
  title: string | null;
}

export const writableOf = (event: EventRow): WritableEvent => ({
  siteId: event.site.id,
  timezone: event.site.timezone,
  timestamp: event.timestamp,
  keys: event.keys,
  isPageKey: event.isPageKey,
  type: event.type,
  traffic: event.traffic,
  visitors: event.visitors,
  userHash: event.userHash,
  returningVisitor: event.returningVisitor,
  engagementMs: event.engagementMs,
  scroll: event.scroll,
  revenue: event.revenue,
  currency: event.currency,
  props: event.props,
  values: dimensionValuesOf(event),
  title: event.page?.title ?? null,
});
