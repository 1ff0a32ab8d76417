import type { EventType, TrafficClass } from "@/lib/contract/vocabulary";
import type { Returner } from "@/lib/ingest/returning";
import type { ScrubbedKind } from "@/lib/ingest/scrub";
import type { IngestSite } from "@/lib/ingest/sites";
import type { Verdict } from "@/lib/ingest/verdict";

/** Dictionary values of a hit. `''` stands for unknown in every one of them. */
export interface Page {
  hostname: string;
  path: string;
  title: string | null;
}
export interface Referrer {
  source: string;
  channel: string;
  url: string;
  /** The id of the rule that chose the channel. */
  rule: string;
}
export interface Campaign {
  source: string;
  medium: string;
  campaign: string;
  term: string;
  content: string;
}
export interface Place {
  country: string;
  region: string;
  city: string;
  language: string;
}
export interface Agent {
  browser: string;
  browser_version: string;
  os: string;
  os_version: string;
  device: string;
  screen: string;
  bot: string;
}

/** Why a hit of the site's own rules is not stored. The list is closed. */
export const FILTER_REASONS = {
  gpc: "the visitor's browser asks not to be tracked (Sec-GPC or DNT) and the site honours it",
  excluded_address: "it came from an address that the site leaves out",
  excluded_country: "it came from a country that the site leaves out",
  excluded_path: "the page is one that the site leaves out",
  excluded_hostname: "the hostname is one that the site leaves out",
  own_traffic: "the browser was told not to be counted on this site",
  installation_test: "its page was opened by the address of an installation test",
  visit_over: "engagement or vitals were reported for a visit that had already ended",
} as const;
export type FilterReason = keyof typeof FILTER_REASONS;

/** One event, understood and ready to be written. */
export interface EventRow {
  site: IngestSite;
  /** When it arrived, in epoch microseconds: see `reserveTimestamps`. Events are ordered by it everywhere. */
  timestamp: number;
  /** The deduplication key as the sender chose it; null when it left the choice to us. */
  key: string | null;
  /** The browser script made the key: only its page sends it again, and it is soon forgotten. */
  ofPage: boolean;
  /** A server sent it about its own work: it joins the running visit of its user, and never begins one. */
  ofServer: boolean;
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
  returner: Returner | null;
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
