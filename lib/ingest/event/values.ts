import type { ValueOf } from "@/lib/ingest/event/catalogue";

/** The dimension values of an event. `''` means unknown in all of them. */
export interface Page extends ValueOf<"page"> {
  title: string | null;
}
/** `rule` is the id of the rule that chose the channel. */
export type Referrer = ValueOf<"referrer">;
export type Campaign = ValueOf<"campaign">;
export type Place = ValueOf<"place">;
export type Agent = ValueOf<"agent">;

/** Why an event is filtered. The list is closed. */
export const FILTER_REASONS = {
  gpc: "the visitor's browser sends Sec-GPC or DNT and the site honours it",
  excluded_address: "it came from an address that the site excludes",
  excluded_country: "it came from a country that the site excludes",
  excluded_path: "the page is one that the site excludes",
  excluded_hostname: "the hostname is one that the site excludes",
  own_traffic: "the browser is opted out of this site",
  installation_test: "its page was opened by an installation test",
  visit_over: "engagement or vitals arrived after the visit had ended",
} as const;
export type FilterReason = keyof typeof FILTER_REASONS;
