import type { ExclusionKind } from "@/lib/contract/exclusion-patterns";

/** What a rule may be about, in a word. */
export const KIND_LABELS: Record<ExclusionKind, string> = {
  address: "Address",
  country: "Country",
  path: "Path",
  hostname: "Hostname",
};

/** What a pattern looks like. */
export const KIND_HINTS: Record<ExclusionKind, string> = {
  address: "An address or a range, such as 192.0.2.10 or 192.0.2.0/24.",
  country: "A two-letter code, such as FR.",
  path: "Such as /drafts/* (what lies in it) or /admin/** (itself and everything below).",
  hostname: "Such as staging.example.com, or *.test.example.com for every name below.",
};
