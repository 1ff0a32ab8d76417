import type { SiteAccess } from "@/lib/contract/define";
import { laterOf, localDay, Temporal } from "@/lib/platform/time";

/** Returns the first retained day: `months` ago in the site's time zone. */
export const retainedSince = (months: number, timezone: string, now: Date): Temporal.PlainDate =>
  localDay(now, timezone).subtract({ months });

/**
 * Returns the first local day with data; null when nothing was deleted. Data that an earlier, stricter limit deleted
 * stays deleted.
 */
export function firstRetainedDay(
  { retention, timezone }: Pick<SiteAccess, "retention" | "timezone">,
  now: Date,
): Temporal.PlainDate | null {
  const left = retention.from && Temporal.PlainDate.from(retention.from.toISOString().slice(0, 10));
  const since = retention.months === null ? null : retainedSince(retention.months, timezone, now);
  if (!left || !since) return left ?? since;
  return laterOf(left, since);
}
