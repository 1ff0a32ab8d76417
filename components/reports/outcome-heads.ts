import type { Outcome } from "@/lib/contract/vocabulary";
import { msg } from "@/lib/texts/translate";

/** Headings of the narrow columns of what visits led to; their full names are in the tooltip. */
export const OUTCOME_HEADS = {
  conversion_value: msg("Value"),
  revenue: msg("Revenue"),
  conversions: msg("Conv."),
  conversion_rate: msg("Rate"),
} as const satisfies Partial<Record<Outcome, string>>;
