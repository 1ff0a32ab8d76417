import type { Hit } from "@/lib/ingest/hit";
import { wordsOf } from "@/lib/ingest/words";

/** What of a hit is written. Plain values only, so that another thread may write it. */
export interface WritableHit
  extends Pick<
      Hit,
      "timestamp" | "key" | "ofPage" | "ofServer" | "type" | "traffic" | "visitors" | "userHash" | "returner"
    >,
    Pick<Hit, "engagementMs" | "scroll" | "revenue" | "currency" | "props"> {
  siteId: number;
  timezone: string;
  /** Its words in each dictionary, in the order of `DICTIONARIES`, as `textOf` writes them; null for none. */
  words: (string | null)[];
  title: string | null;
}

export const writableOf = (hit: Hit): WritableHit => ({
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

const BLANK: WritableHit = {
  siteId: 0,
  timezone: "",
  timestamp: 0,
  key: null,
  ofPage: false,
  ofServer: false,
  type: "event",
  traffic: "human",
  visitors: [],
  userHash: null,
  returner: null,
  engagementMs: null,
  scroll: null,
  revenue: null,
  currency: null,
  props: null,
  words: [],
  title: null,
};
const FIELDS = Object.keys(BLANK) as (keyof WritableHit)[];

/** A hit as it goes to another thread: its values alone, since their names would cost as much again with every hit. */
export type SentHit = unknown[];
export const sentForm = (hit: WritableHit): SentHit => FIELDS.map((field) => hit[field]);
export function readSent(values: SentHit): WritableHit {
  const hit: Record<keyof WritableHit, unknown> = { ...BLANK };
  for (const [at, field] of FIELDS.entries()) hit[field] = values[at];
  return hit as WritableHit;
}
