import type { ExclusionKind } from "@/lib/contract/exclusion-patterns";

/** Labels of the rule types. */
export const KIND_LABELS: Record<ExclusionKind, string> = {
  address: "Address",
  country: "Country",
  path: "Path",
  hostname: "Hostname",
};

/** Hints about the pattern of each rule type. */
export const KIND_HINTS: Record<ExclusionKind, string> = {
  address: "An IP address or a range, such as 192.0.2.10 or 192.0.2.0/24.",
  country: "A two-letter code, such as FR.",
  path: "Such as /drafts/* (one level) or /admin/** (the path and everything below).",
  hostname: "Such as staging.example.com, or *.test.example.com for all subdomains.",
};
