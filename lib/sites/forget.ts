import { db, Prisma } from "@/lib/db";
import { type Doomed, destroyRows } from "@/lib/ingest/store/erase";
import { deleteUnusedWords, type Kept } from "@/lib/ingest/store/unused-words";
import { keptSince } from "@/lib/sites/keeping";
import { startOfDay } from "@/lib/time";

/** How long one run goes on. */
const RUN_MS = 30_000;

/** Destroys what sites have counted longer ago than they keep it. */
export async function forgetOldFacts(now: Date): Promise<void> {
  const until = Date.now() + RUN_MS;
  const sites = await db().site.findMany({
    where: { keepMonths: { not: null } },
    select: { id: true, timezone: true, keepMonths: true, keptFrom: true },
    orderBy: { id: "asc" },
  });
  for (const { id: siteId, timezone, keepMonths, keptFrom } of sites) {
    if (Date.now() >= until) return;
    const first = keptSince(keepMonths as number, timezone, now);
    const day = new Date(`${first}`);
    if (keptFrom && keptFrom >= day) continue;
    const what = { siteId, first, start: startOfDay(first, timezone) };
    if (!(await destroyFacts(what, until))) continue;
    await deleteUnusedWords(what);
    await db().site.updateMany({ where: { id: siteId }, data: { keptFrom: day } });
  }
}

/** @returns whether nothing is left that is too old. */
async function destroyFacts({ siteId, first, start }: Kept, until: number): Promise<boolean> {
  const ofDays = Prisma.sql`day < ${`${first}`}::date`;
  const old: Doomed[] = [
    { table: Prisma.sql`facts.event`, by: Prisma.sql`ts`, where: Prisma.sql`ts < ${start}` },
    { table: Prisma.sql`facts.visit`, by: Prisma.sql`started`, where: Prisma.sql`started < ${start}` },
    { table: Prisma.sql`facts.event_key`, where: ofDays },
    { table: Prisma.sql`facts.imported`, where: ofDays },
    { table: Prisma.sql`facts.intake`, where: ofDays },
    { table: Prisma.sql`facts.returning_visitor`, where: ofDays },
  ];
  const mayGoOn = () => Date.now() < until;
  for (const { where, ...rows } of old) {
    const ofSite = Prisma.sql`site_id = ${siteId} AND ${where}`;
    if (!(await destroyRows({ ...rows, where: ofSite }, mayGoOn))) return false;
  }
  return true;
}
