import { z } from "zod";
import { conversionRate } from "@/lib/analytics/query/conversions";
import { about } from "@/lib/contract/fields";

/** Sums of some visits, such as those that a source sent. */
export interface VisitSums {
  visitors: number;
  visits: number;
  bounces: number;
  /** Visits with a conversion. */
  conversions: number;
}

/** The numbers of some visits in the answers of operations. */
export const visitNumbersShape = {
  visitors: about(z.int(), "Visitors of these visits", 8),
  visits: z.int().meta({ examples: [9] }),
  bounce_rate: about(z.number().nullable(), "Share of bounces; null without visits", 0.44),
  conversions: about(
    z.int(),
    "Visits that reached a goal or, on a site without goals, had any custom or commerce event except a refund",
    1,
  ),
  conversion_rate: about(z.number().nullable(), "Conversions divided by visits; null without visits", 0.11),
};

/** Returns the numbers of some visits. */
export const visitNumbers = ({ visitors, visits, bounces, conversions }: VisitSums) => ({
  visitors,
  visits,
  bounce_rate: visits > 0 ? bounces / visits : null,
  conversions,
  conversion_rate: conversionRate(conversions, visits),
});
