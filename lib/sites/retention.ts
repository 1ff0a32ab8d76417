import { z } from "zod";
import type { ChangeLine, SiteAccess } from "@/lib/contract/define";
import { db } from "@/lib/db";
import { describeRetentionMonths, LONGEST_KEPT_MONTHS } from "@/lib/sites/retention-text";
import { laterOf, localDay, Temporal } from "@/lib/time";

/** How long a site keeps what was counted. */

/** @returns whole months; null keeps everything. */
export async function readRetentionMonths(siteId: number): Promise<number | null> {
  const where = { id: siteId };
  return (await db().site.findUniqueOrThrow({ where, select: { keepMonths: true } })).keepMonths;
}

/** The first local day that is kept: so many months ago, on the site's own calendar. */
export const retainedSince = (months: number, timezone: string, now: Date): Temporal.PlainDate =>
  localDay(now, timezone).subtract({ months });

/**
 * The first local day of which anything is left; null where everything is. What a limit has destroyed is gone, though it was
 * lifted since.
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

/** The site as it would be with another limit; null keeps everything. */
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

/** How long a site keeps its data, as operations answer it. */
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

/** What another limit would change: the limit, and the data that would be deleted where it is. */
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
