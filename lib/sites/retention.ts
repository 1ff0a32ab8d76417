import { z } from "zod";
import type { ChangeLine, SiteAccess } from "@/lib/contract/define";
import { db } from "@/lib/platform/db";
import { laterOf, localDay, Temporal } from "@/lib/platform/time";
import { describeRetentionMonths, LONGEST_KEPT_MONTHS } from "@/lib/sites/retention-text";

/** The retention limit of a site. */

/** Returns the retention limit in whole months; null for no limit. */
export async function readRetentionMonths(siteId: number): Promise<number | null> {
  const where = { id: siteId };
  return (await db().site.findUniqueOrThrow({ where, select: { keepMonths: true } })).keepMonths;
}

/** Returns the first retained day: `months` ago in the site's time zone. */
export const retainedSince = (months: number, timezone: string, now: Date): Temporal.PlainDate =>
  localDay(now, timezone).subtract({ months });

/**
 * Returns the first local day with data; null when nothing was deleted. Data that an earlier, stricter limit deleted
 * stays deleted.
 */
export function firstRetainedDay(
  { kept, timezone }: Pick<SiteAccess, "kept" | "timezone">,
  now: Date,
): Temporal.PlainDate | null {
  const left = kept.from && Temporal.PlainDate.from(kept.from.toISOString().slice(0, 10));
  const since = kept.months === null ? null : retainedSince(kept.months, timezone, now);
  if (!left || !since) return left ?? since;
  return laterOf(left, since);
}

/** Returns the site with another retention limit; null for no limit. */
export const withRetention = <Site extends Pick<SiteAccess, "kept">>(site: Site, months: number | null): Site => ({
  ...site,
  kept: { ...site.kept, months },
});

export const retentionMonths = z
  .int("must be a whole number of months, or null")
  .min(1, "must be 1 or more, or null")
  .max(LONGEST_KEPT_MONTHS, `must be at most ${LONGEST_KEPT_MONTHS}, or null`)
  .nullable()
  .meta({ description: "For how many months data is kept; null is forever" });

/** Retention settings in operation outputs. */
export const retentionShape = z.object({
  retention_months: retentionMonths,
  retained_from: z.iso.date().nullable().meta({
    description:
      "The first local day that is kept: older data is deleted, or is being deleted. Null: nothing was deleted",
  }),
});

export const describeRetention = (
  site: Pick<SiteAccess, "kept" | "timezone">,
  now: Date,
): z.input<typeof retentionShape> => ({
  retention_months: site.kept.months,
  retained_from: firstRetainedDay(site, now)?.toString() ?? null,
});

/** Returns the before/after lines of a new limit, including the data it would delete. */
export function summariseRetention(site: SiteAccess, months: number | null, now: Date): ChangeLine[] {
  const [from, becomes] = [firstRetainedDay(site, now), firstRetainedDay(withRetention(site, months), now)];
  const deletes = becomes !== null && (from === null || Temporal.PlainDate.compare(becomes, from) > 0);
  return [
    { label: "Data is kept", before: inWords(site.kept.months), after: inWords(months) },
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
