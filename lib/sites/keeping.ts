import type { SiteAccess } from "@/lib/contract/define";
import { db } from "@/lib/db";
import { changePeople, type PeopleChange } from "@/lib/sites/members";
import { noticeOfKeeping } from "@/lib/sites/notices";
import { laterOf, localDay, Temporal } from "@/lib/time";

/** How long a site keeps what was counted. */

/** @returns whole months; null keeps everything. */
export async function readKeptMonths(siteId: number): Promise<number | null> {
  const where = { id: siteId };
  return (await db().site.findUniqueOrThrow({ where, select: { keepMonths: true } })).keepMonths;
}

/** The first local day that is kept: so many months ago, on the site's own calendar. */
export const keptSince = (months: number, timezone: string, now: Date): Temporal.PlainDate =>
  localDay(now, timezone).subtract({ months });

/**
 * The first local day of which anything is left; null where everything is. What a limit has destroyed is gone, though it was
 * lifted since.
 */
export function firstKept(
  { kept, timezone }: Pick<SiteAccess, "kept" | "timezone">,
  now: Date,
): Temporal.PlainDate | null {
  const left = kept.from && Temporal.PlainDate.from(kept.from.toISOString().slice(0, 10));
  const since = kept.months === null ? null : keptSince(kept.months, timezone, now);
  if (!left || !since) return left ?? since;
  return laterOf(left, since);
}

/**
 * An owner decides how long what was counted is kept. What is older is destroyed by `forgetOldFacts`, and nothing brings it
 * back: the other owners are told.
 *
 * @param months from 1 to 120; null keeps everything from now on.
 * @throws Refusal as `siteFor` does.
 */
export async function changeKeptMonths(by: PeopleChange, months: number | null): Promise<void> {
  const detail = { keep_months: months ?? "all" };
  await changePeople(by, "owner", { operation: "keeping.update", detail }, async (tx) => {
    await tx.site.updateMany({ where: { id: by.siteId }, data: { keepMonths: months } });
    await noticeOfKeeping(tx, { siteId: by.siteId, byId: by.personId, months }, by.now);
  });
}
