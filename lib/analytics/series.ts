import { bucketOf, dayOf, eventsIn, type Scope, visitsIn } from "@/lib/analytics/question";
import { add, EVENT_SUMS, NOTHING, SCROLLED, type Sums, VISIT_SUMS } from "@/lib/analytics/sums";
import { Prisma, reports } from "@/lib/db";

/** What a scope comes to, as a whole or over time. */

/** The sums of a whole scope: those of its days, because a visitor is one visitor a day. */
export async function sumsOf(scope: Scope): Promise<Sums> {
  const [days, scrolls] = await Promise.all([sumsBy(scope, scope.days), scrollsIn(scope)]);
  return { ...days.reduce(add, NOTHING), ...scrolls };
}

/**
 * The sums of each bucket of a scope, gap-free, without the scroll depth. Visits count in the bucket in which they
 * began, events in the bucket in which they happened; visitors are distinct within each bucket, so a bucket is at most
 * a local day.
 *
 * @param starts when each bucket begins; the last one ends with the scope.
 */
export async function sumsBy(scope: Scope, starts: Date[]): Promise<Sums[]> {
  const [visits, events] = await Promise.all([visitSums(scope, starts), eventSums(scope, starts)]);
  const buckets = starts.map(() => ({ ...NOTHING }));
  for (const { bucket, ...sums } of [...visits, ...events]) {
    if (buckets[bucket]) Object.assign(buckets[bucket], sums);
  }
  return buckets;
}

type Row = { bucket: number } & Partial<Sums>;

const visitSums = (scope: Scope, starts: Date[]) =>
  reports().$queryRaw<Row[]>`
    SELECT ${bucketOf(Prisma.sql`fact.started`, starts)}::int AS bucket, ${VISIT_SUMS}
    FROM facts.visit AS fact WHERE ${visitsIn(scope)} GROUP BY 1`;

const eventSums = (scope: Scope, starts: Date[]) =>
  reports().$queryRaw<Row[]>`
    SELECT ${bucketOf(Prisma.sql`fact.ts`, starts)}::int AS bucket, ${EVENT_SUMS}
    FROM facts.event AS fact WHERE ${eventsIn(scope)} GROUP BY 1`;

/** The furthest point of each page of each visit and local day, added up. */
async function scrollsIn(scope: Scope): Promise<Pick<Sums, "scroll" | "scrolled">> {
  const rows = await reports().$queryRaw<Pick<Sums, "scroll" | "scrolled">[]>`
    SELECT coalesce(sum(furthest), 0)::float8 AS scroll, count(*)::int AS scrolled FROM (
      SELECT max(fact.scroll) AS furthest FROM facts.event AS fact WHERE ${eventsIn(scope)} AND ${SCROLLED}
      GROUP BY fact.visit_id, fact.page, ${dayOf(Prisma.sql`fact.ts`, scope)}) AS pages`;
  return rows[0] ?? { scroll: 0, scrolled: 0 };
}
