import type { ExclusionKind } from "@/lib/contract/exclusion-patterns";
import { msg } from "@/lib/texts/translate";

/** The rule types, with hints about their patterns. */
export const KINDS: Record<ExclusionKind, { label: string; hint: string }> = {
  address: { label: msg("Address"), hint: msg("An IP address or a range, such as 192.0.2.10 or 192.0.2.0/24.") },
  country: { label: msg("Country"), hint: msg("A two-letter code, such as FR.") },
  path: {
    label: msg("Path"),
    hint: msg("Such as /drafts/* (one level) or /admin/** (the path and everything below)."),
  },
  hostname: {
    label: msg("Hostname"),
    hint: msg("Such as staging.example.com, or *.test.example.com for all subdomains."),
  },
};
