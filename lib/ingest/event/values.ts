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
