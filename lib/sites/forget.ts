import { dayNumber } from "@/lib/analytics/buckets";
import { db, Prisma } from "@/lib/db";
import { before, STARTED, slotOf, TS } from "@/lib/fact-index";
import { type Doomed, destroyRows } from "@/lib/sites/destroy";
import { keptSince } from "@/lib/sites/keeping";
import { deleteUnusedWords, type Kept } from "@/lib/sites/unused-words";
import { startOfDay, type Temporal } from "@/lib/time";

/** How long one run goes on. */
const RUN_MS = 30_000;

/**
 * Destroys what sites have counted longer ago than they keep it. What was added up of such days is taken out of use at
 * first, and is destroyed by the next run: a report that has begun may still read it.
 */
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
    const what = { siteId, first, start: startOfDay(first, timezone) };
    await destroySums(what);
    const day = new Date(`${first}`);
    if (keptFrom && keptFrom >= day) continue;
    await unseal(what);
    if (!(await destroyFacts(what, until))) continue;
    await deleteUnusedWords(what);
    await db().site.updateMany({ where: { id: siteId }, data: { keptFrom: day } });
  }
}

/** SQL for blocks of days of which at least one is too old. */
const begunBefore = (first: Temporal.PlainDate) => Prisma.sql`block * length::int < ${dayNumber(first)}`;

/** Has reports read the facts of these days. Whoever is sealing is waited for. */
async function unseal({ siteId, first }: Kept): Promise<void> {
  await db().$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('facts.rollup'), ${siteId}::int)`;
    await tx.$executeRaw`DELETE FROM facts.sealed WHERE site_id = ${siteId} AND ${begunBefore(first)}`;
  });
}

/** What was made of days that are no longer sealed. */
async function destroySums({ siteId, first }: Kept): Promise<void> {
  const unsealed = (length: Prisma.Sql) => Prisma.sql`NOT EXISTS (
    SELECT FROM facts.sealed WHERE sealed.site_id = ${siteId} AND sealed.block = made.block AND sealed.length = ${length})`;
  const one = Prisma.sql`site_id = ${siteId} AND block < ${dayNumber(first)} AND ${unsealed(Prisma.sql`1`)}`;
  await db().$executeRaw`
    DELETE FROM facts.rollup AS made
    WHERE site_id = ${siteId} AND ${begunBefore(first)} AND ${unsealed(Prisma.sql`made.length`)}`;
  await db().$executeRaw`DELETE FROM facts.packed AS made WHERE ${one}`;
  await db().$executeRaw`DELETE FROM facts.sale AS made WHERE ${one}`;
}

/** @returns whether nothing is left that is too old. */
async function destroyFacts({ siteId, first, start }: Kept, until: number): Promise<boolean> {
  const ofDays = Prisma.sql`day < ${`${first}`}::date`;
  const old: Doomed[] = [
    { table: Prisma.sql`facts.event`, by: slotOf(TS), where: before(TS, start) },
    { table: Prisma.sql`facts.visit`, by: slotOf(STARTED), where: before(STARTED, start) },
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
