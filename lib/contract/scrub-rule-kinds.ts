import { msg } from "@/lib/texts/translate";

/** The kinds of a site's own rules of scrubbing. Pages in the browser read them too. */

/** What a rule does, by its name in the API: two replace more, two replace less. */
export const SCRUB_RULES = {
  pattern: {
    label: msg("Replace words"),
    about: "replaces each word that matches, anywhere",
    hint: msg(
      "A word such as MEMBER-*. The * stands for any part of the word; capital and small letters are the same.",
    ),
  },
  key: {
    label: msg("Replace the values of a key"),
    about: "replaces the values of a property or query parameter",
    hint: msg("The name of a property or query parameter, such as customer_ref."),
  },
  kept_key: {
    label: msg("Keep the values of a key"),
    about: "stores the values of a property or query parameter as they were sent",
    hint: msg("The name of a property or query parameter whose values are never personal, such as phone."),
  },
  kept_path: {
    label: msg("Keep the paths of pages"),
    about: "stores the paths of these pages as they were sent; their titles and properties are still scrubbed",
    hint: msg("Such as /products/* (one level) or /docs/** (the path and everything below)."),
  },
} as const;
export type ScrubRuleKind = keyof typeof SCRUB_RULES;
export const SCRUB_RULE_KINDS = Object.keys(SCRUB_RULES) as [ScrubRuleKind, ...ScrubRuleKind[]];

export interface ScrubRule {
  kind: ScrubRuleKind;
  pattern: string;
}
