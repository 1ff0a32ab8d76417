import { z } from "zod";
import type { ChangeLine, SiteAccess } from "@/lib/contract/define";
import { about } from "@/lib/contract/fields";
import { firstRetainedDay } from "@/lib/contract/retained-days";
import { Temporal } from "@/lib/platform/time";
import { describeRetentionMonths, LONGEST_KEPT_MONTHS } from "@/lib/sites/retention-text";

/** The retention limit of a site. */

/** Returns the site with another retention limit; null for no limit. */
export const withRetention = <Site extends Pick<SiteAccess, "retention">>(site: Site, months: number | null): Site => ({
  ...site,
  retention: { ...site.retention, months },
});

export const retentionMonths = z
  .int("must be a whole number of months, or null")
  .min(1, "must be 1 or more, or null")
  .max(LONGEST_KEPT_MONTHS, `must be at most ${LONGEST_KEPT_MONTHS}, or null`)
  .nullable()
  .meta({ description: "For how many months data is kept; null is forever", examples: [24] });

/** Retention settings in operation outputs. */
export const retentionShape = z.object({
  retention_months: retentionMonths,
  retained_from: about(
    z.iso.date().nullable(),
    "The first local day that is kept: older data is deleted, or is being deleted. Null: nothing was deleted",
    "2024-11-20",
  ),
});

export const describeRetention = (
  site: Pick<SiteAccess, "retention" | "timezone">,
  now: Date,
): z.input<typeof retentionShape> => ({
  retention_months: site.retention.months,
  retained_from: firstRetainedDay(site, now)?.toString() ?? null,
});

/** Returns the before/after lines of a new limit, including the data it would delete. */
export function summariseRetention(site: SiteAccess, months: number | null, now: Date): ChangeLine[] {
  const [from, becomes] = [firstRetainedDay(site, now), firstRetainedDay(withRetention(site, months), now)];
  const deletes = becomes !== null && (from === null || Temporal.PlainDate.compare(becomes, from) > 0);
  return [
    { label: "Keep data", before: inWords(site.retention.months), after: inWords(months) },
    ...(deletes
      ? [
          {
            label: `Data from before ${becomes}`,
            before: "Kept",
            after: "Deleted for good, beginning within ten minutes",
          },
        ]
      : []),
  ];
}

const inWords = (months: number | null): string =>
  months === null ? "Forever" : `For ${describeRetentionMonths(months)}`;
