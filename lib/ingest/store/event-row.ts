import type { EventType, TrafficClass } from "@/lib/contract/vocabulary";
import type { Verdict } from "@/lib/ingest/enrich/verdict";
import type { ScrubbedKind } from "@/lib/ingest/event/scrub";
import type { Agent, Campaign, FilterReason, Page, Place, Referrer } from "@/lib/ingest/event/values";
import type { ReturningVisitor } from "@/lib/ingest/identity/returning";
import type { IngestSite } from "@/lib/ingest/site/sites";

/** One event, understood and ready to be written. */
export interface EventRow {
  site: IngestSite;
  /** When it arrived, in epoch microseconds: see `reserveTimestamps`. Events are ordered by it everywhere. */
  timestamp: number;
  /** The deduplication key as the sender chose it; null when it left the choice to us. */
  key: string | null;
  /** The browser script made the key: only its page sends it again, and it is soon forgotten. */
  isPageKey: boolean;
  /** A server sent it about its own work: it joins the running visit of its user, and never begins one. */
  fromServer: boolean;
  type: EventType;
  /** Name of a custom event or an experiment; null for pageviews, engagement and vitals. */
  name: string | null;
  page: Page | null;
  referrer: Referrer;
  campaign: Campaign | null;
  place: Place;
  agent: Agent;
  traffic: TrafficClass;
  /** Why it is not a person's; null when nothing speaks against one. */
  verdict: Verdict | null;
  /** Who it may be, likeliest first: a running visit of any of them is continued; a new one belongs to the first. */
  visitors: string[];
  userHash: string | null;
  /** Who it is within the month, on sites that know people again for so long. */
  returningVisitor: ReturningVisitor | null;
  engagementMs: number | null;
  scroll: number | null;
  revenue: string | null;
  currency: string | null;
  /** JSON text of a flat object. */
  props: string | null;
  /** Each piece of personal data that was replaced in it. */
  scrubbed: ScrubbedKind[];
}

/** Where a hit was when the answer to COMMIT was lost: the transaction (an xid8), its place in it, and the hit's time. */
export interface Doubt {
  xid: string;
  place: number;
  at: Date;
}

export type Outcome =
  | { status: "stored"; visit: "new" | "continued" | "none"; traffic: TrafficClass }
  | { status: "duplicate" }
  | { status: "filtered"; reason: FilterReason };
