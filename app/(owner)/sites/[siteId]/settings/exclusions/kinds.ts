import type { ExclusionKind } from "@/lib/contract/exclusion-patterns";

/** The rule types, with hints about their patterns. */
export const KINDS: Record<ExclusionKind, { label: string; hint: string }> = {
  address: { label: "Address", hint: "An IP address or a range, such as 192.0.2.10 or 192.0.2.0/24." },
  country: { label: "Country", hint: "A two-letter code, such as FR." },
  path: { label: "Path", hint: "Such as /drafts/* (one level) or /admin/** (the path and everything below)." },
  hostname: {
    label: "Hostname",
    hint: "Such as staging.example.com, or *.test.example.com for all subdomains.",
  },
};
