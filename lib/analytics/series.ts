import type { Cover } from "@/lib/analytics/cover";
import { EVERYTHING } from "@/lib/analytics/dimensions";
import { BOUNCED, EVENT_SUMS } from "@/lib/analytics/fact-sums";
import { ADDED_UP } from "@/lib/analytics/groups";
import { dailySums } from "@/lib/analytics/packed/counters";
import type { Part } from "@/lib/analytics/partials";
import { bucketOf, during, eventsIn, type Scope, visitsIn } from "@/lib/analytics/question";
import { rolledDays } from "@/lib/analytics/rollup-lists";
import { source, sumsIn } from "@/lib/analytics/sources";
import { add, NOTHING, type Sums } from "@/lib/analytics/sums";
import { Prisma, reports } from "@/lib/db";

/** What a scope comes to, as a whole or over time. */

/** The sums of a whole scope. Its parts are asked for side by side: each reads the facts by itself. */
export async function sumsOf(scope: Scope, parts: readonly Part[] = ["visits", "events", "scrolls"]): Promise<Sums> {
  if (scope.sealed?.packed) return addedUp([await source(scope, [], parts)]);
  const sums = await Promise.all(parts.map(async (part) => addedUp([await source(scope, [], [part])])));
  return sums.reduce(add, NOTHING);
}

/** What rows of partial sums come to. */
export async function addedUp(rows: readonly Prisma.Sql[]): Promise<Sums> {
  if (rows.length === 0) return NOTHING;
  const [sums] = await reports().$queryRaw<Partial<Sums>[]>`
    SELECT ${ADDED_UP} FROM (${Prisma.join([...rows], " UNION ALL ")}) AS partial`;
  return withZeros(sums);
}

const withZeros = (row: Partial<Record<keyof Sums, number | null>> = {}): Sums => {
  const keys = Object.keys(NOTHING) as (keyof Sums)[];
  return Object.fromEntries(keys.map((key) => [key, Number(row[key] ?? 0)])) as unknown as Sums;
};

/**
 * The sums of each bucket of a scope, gap-free, without the scroll depth. Visits count in the bucket in which they
 * began, events in the bucket in which they happened; visitors are distinct within each bucket, so a bucket is at most
 * a local day.
 *
 * @param starts when each bucket begins; the last one ends with the scope.
 */
export async function sumsBy(scope: Scope, starts: Date[]): Promise<Sums[]> {
  const buckets = starts.map(() => ({ ...NOTHING }));
  const daily = starts === scope.days && scope.sealed;
  const unsealed = daily ? daily.gaps.map((gap) => during(scope, gap)) : [scope];
  const asked = unsealed.map((part) => factSums(part, starts));
  const rows = await Promise.all([daily ? sealedSums(scope, daily) : [], ...asked]);
  for (const { bucket, ...sums } of rows.flat()) if (buckets[bucket]) Object.assign(buckets[bucket], sums);
  return buckets;
}

type Row = { bucket: number } & Partial<Sums>;

async function factSums(scope: Scope, starts: Date[]): Promise<Row[]> {
  const bucket = (moment: Prisma.Sql) => Prisma.sql`${bucketOf(moment, starts)}::int AS bucket`;
  const [visits, events] = await Promise.all([
    reports().$queryRaw<Row[]>`
      SELECT bucket, count(*)::int AS visitors, sum(visits)::int AS visits, sum(bounces)::int AS bounces,
             sum(duration)::float8 AS "durationMs" FROM (
        SELECT ${bucket(Prisma.sql`fact.started`)}, count(*) AS visits, count(*) FILTER (WHERE ${BOUNCED}) AS bounces,
               sum(fact.duration_ms) AS duration
        FROM facts.visit AS fact WHERE ${visitsIn(scope)} GROUP BY fact.visitor_id, 1) AS visitors GROUP BY bucket`,
    reports().$queryRaw<Row[]>`
      SELECT ${bucket(Prisma.sql`fact.ts`)}, ${EVENT_SUMS} FROM facts.event AS fact WHERE ${eventsIn(scope)} GROUP BY 1`,
  ]);
  return [...visits, ...events];
}

/** What each sealed day of a scope comes to. */
async function sealedSums(scope: Scope, cover: Cover): Promise<Row[]> {
  const { days, packed } = cover;
  const places = new Map([...days].map(([place, block]) => [block, place]));
  const blocks = [...places.keys()];
  const rows = await (packed ? dailySums(scope, { ...cover, packed }, blocks) : rolledSums(scope, blocks));
  return rows.map(({ block, ...sums }) => ({ bucket: places.get(block) ?? -1, ...withZeros(sums) }));
}

/** The same of what was rolled up. */
async function rolledSums(scope: Scope, days: readonly number[]): Promise<(Partial<Sums> & { block: number })[]> {
  const names = sumsIn(["visits", "events"]);
  const found = await rolledDays(scope, days, { dimension: EVERYTHING, sums: names });
  return found.map(({ block, lists: { sums } }) => ({
    block,
    ...Object.fromEntries(names.map((name) => [name, sums[name]?.[0] ?? 0])),
  }));
}
