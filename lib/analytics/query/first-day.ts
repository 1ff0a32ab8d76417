import { firstRetainedDay } from "@/lib/contract/retained-days";
import { importedDays } from "@/lib/ingest/store/imported-facts";
import { firstEventAt } from "@/lib/ingest/store/site-events";
import { db } from "@/lib/platform/db";
import { laterOf, localDay, Temporal } from "@/lib/platform/time";

/** The first local day of which anything is known; null when nothing is. */
export async function firstKnownDay({ id, timezone }: { id: number; timezone: string }) {
  const [first, imported] = await Promise.all([firstEventAt(id), importedDays(id)]);
  const own = first && localDay(first, timezone);
  return imported && (!own || Temporal.PlainDate.compare(imported.from, own) < 0) ? imported.from : own;
}

/** The first local day that reports of a site can show anything of: nothing is older, or it is deleted. */
export async function firstShownDay(siteId: number, now: Date): Promise<Temporal.PlainDate> {
  const { timezone, createdAt, keepMonths, keptFrom } = await db().site.findUniqueOrThrow({ where: { id: siteId } });
  const created = localDay(createdAt, timezone);
  const known = (await firstKnownDay({ id: siteId, timezone })) ?? created;
  const first = Temporal.PlainDate.compare(known, created) < 0 ? known : created;
  const kept = firstRetainedDay({ retention: { months: keepMonths, from: keptFrom }, timezone }, now);
  return kept ? laterOf(first, kept) : first;
}
