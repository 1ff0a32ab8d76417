import { z } from "zod";
import {
  BUCKET_LABEL,
  BUCKET_PARTIAL,
  bucketsOf,
  type CalendarBucket,
  dayNumbers,
  naturalInterval,
} from "@/lib/analytics/calendar/buckets";
import { dimensionId, wordsOf } from "@/lib/analytics/query/dimension-sql";
import {
  type BreakdownKey,
  type DimensionKey,
  dimensionOf,
  ONLY_ON_VISITS,
  propertyIn,
} from "@/lib/analytics/query/dimensions";
import { isAmong } from "@/lib/analytics/query/groups";
import { add, NOTHING, type Sums } from "@/lib/analytics/query/metrics";
import { bucketsTable, eventsIn, queryCopy, type Scope, visitsIn } from "@/lib/analytics/query/scope";
import { partialSums } from "@/lib/analytics/query/scope-sums";
import { ADDED_UP, KEYS, type Part } from "@/lib/analytics/query/sums-sql";
import { about, type Interval, untrusted } from "@/lib/contract/fields";
import { dictionaryColumns, type ValueOf } from "@/lib/ingest/event/catalogue";
import { join, raw, type Sql, sql } from "@/lib/platform/sql";

/** How the numbers of a report went over its range: gap-free buckets of local time, as those of the chart. */

export interface Trend {
  interval: Interval;
  buckets: CalendarBucket[];
  starts: Date[];
}

/** @param atLeastDays whether a bucket is never shorter than a local day. */
export function trendOf({ range }: Scope, now: Date, atLeastDays = false): Trend {
  const natural = naturalInterval(range);
  const interval = atLeastDays && natural === "hour" ? "day" : natural;
  const buckets = bucketsOf(range, interval, now);
  return { interval, buckets, starts: buckets.map(({ start }) => start) };
}

/** The shape of a series: a row for each bucket, with what the report counts in it. */
export const seriesShape = <Numbers extends z.ZodRawShape>(numbers: Numbers, description: string) =>
  z
    .array(
      z.object({
        start: z.iso.datetime().meta({ examples: ["2026-11-19T23:00:00Z"] }),
        label: about(z.string(), BUCKET_LABEL, "2026-11-20"),
        partial: about(z.boolean(), BUCKET_PARTIAL, true),
        ...numbers,
      }),
    )
    .meta({ description });

/** @param numbersOf what a bucket holds, by its place. */
export const seriesOf = <Numbers extends object>({ buckets }: Trend, numbersOf: (bucket: number) => Numbers) =>
  buckets.map(({ start, label, partial }, index) => ({
    start: start.toISOString(),
    label,
    partial,
    ...numbersOf(index),
  }));

/**
 * SQL that joins `buckets(number)` to a fact called `fact`: by its local day or, with buckets of an hour, by a moment of it.
 * Joining by a moment sorts all facts, which takes several times as long.
 */
export function bucketed(scope: Scope, { interval, starts }: Trend, moment: Sql = sql`fact.ts`): Sql {
  if (interval === "hour" || interval === "minute")
    return sql`ASOF JOIN ${bucketsTable(scope, starts)} AS buckets ON ${moment} >= buckets.start`;
  const days = bucketsOfDays(scope, starts);
  const table = sql`SELECT unnest(${[...days.keys()]}::INTEGER[]) AS day, unnest(${[...days.values()]}::INTEGER[]) AS number`;
  return sql`JOIN (${table}) AS buckets ON buckets.day = fact.day`;
}

/**
 * How many events of a scope meet each of some conditions, bucket by bucket.
 *
 * @param conditions on `event AS fact`.
 * @returns for each bucket, a count for each condition.
 */
export async function countsBy(scope: Scope, trend: Trend, conditions: readonly Sql[]): Promise<number[][]> {
  if (conditions.length === 0) return trend.starts.map(() => []);
  const counts = join(conditions.map((condition) => sql`count(*) FILTER (WHERE ${condition})`));
  const [rows] = await queryCopy<[{ bucket: number; counts: number[] }[]]>(
    scope,
    sql`
    SELECT buckets.number AS bucket, [${counts}] AS counts FROM event AS fact ${bucketed(scope, trend)}
    WHERE ${eventsIn(scope)} AND (${join(conditions, " OR ")}) GROUP BY ALL`,
  );
  const known = new Map(rows.map(({ bucket, counts: found }) => [bucket, found.map(Number)]));
  return trend.starts.map((_, index) => known.get(index) ?? conditions.map(() => 0));
}

/**
 * SQL for a table `(bucket, <column>, visits)`, as a subquery. Visits are counted by day before days are joined to
 * buckets, which takes half the time.
 */
function visitsBy(scope: Scope, trend: Trend, column: "referrer" | "campaign", which: Sql = sql`true`): Sql {
  const id = raw(`fact.${column}`);
  if (trend.interval === "hour")
    return sql`(SELECT buckets.number AS bucket, ${id}, count(*) AS visits
      FROM visit AS fact ${bucketed(scope, trend, sql`fact.started`)} WHERE ${visitsIn(scope)} AND ${which} GROUP BY ALL)`;
  const counted = sql`SELECT fact.day, ${id}, count(*) AS visits FROM visit AS fact
    WHERE ${visitsIn(scope)} AND ${which} GROUP BY ALL`;
  return sql`(SELECT buckets.number AS bucket, ${id}, fact.visits FROM (${counted}) AS fact ${bucketed(scope, trend)})`;
}

/** Visits that began in one bucket and have these words. */
export type VisitsOf<Word extends string> = Record<Word, string | null> & { bucket: number; visits: number };

/**
 * The visits of each bucket by the channel, or by the channel and source, that they came from.
 *
 * @param which a condition on `visit AS fact`; all visits by default.
 */
export async function visitsByReferrer<Word extends "channel" | "source">(
  scope: Scope,
  trend: Trend,
  words: readonly Word[],
  which?: Sql,
): Promise<VisitsOf<Word>[]> {
  const named = join(words.map((word) => raw(`nullif(referrer.${word}, '') AS ${word}`)));
  const [rows] = await queryCopy<[VisitsOf<Word>[]]>(
    scope,
    sql`
    SELECT bucket, ${named}, sum(visits)::BIGINT AS visits
    FROM ${visitsBy(scope, trend, "referrer", which)} AS counted JOIN referrer ON referrer.id = counted.referrer GROUP BY ALL`,
  );
  return rows;
}

/** The tags of a campaign. */
export type CampaignTag = keyof ValueOf<"campaign">;
export const TAGS = dictionaryColumns("campaign") as CampaignTag[];
export const tagFields = {
  source: untrusted.nullable().meta({ examples: ["Google"] }),
  medium: untrusted.nullable().meta({ examples: ["cpc"] }),
  campaign: untrusted.nullable().meta({ examples: ["autumn-sale"] }),
  term: untrusted.nullable().meta({ examples: ["analytics"] }),
  content: untrusted.nullable().meta({ examples: ["header"] }),
};

/**
 * The visits of each bucket by the tags of the campaign that they came from; visits without tags are not in it.
 *
 * @param limit of the campaigns, those with the most visits.
 */
export async function visitsByCampaign(scope: Scope, trend: Trend, limit: number): Promise<VisitsOf<CampaignTag>[]> {
  const tags = join(TAGS.map((tag) => raw(tag)));
  const [rows] = await queryCopy<[VisitsOf<CampaignTag>[]]>(
    scope,
    sql`
    WITH tagged AS (
      SELECT bucket, ${join(TAGS.map((tag) => raw(`nullif(tag.${tag}, '') AS ${tag}`)))}, sum(visits)::BIGINT AS visits
      FROM ${visitsBy(scope, trend, "campaign")} AS counted JOIN campaign AS tag ON tag.id = counted.campaign
      WHERE counted.campaign <> 0 GROUP BY ALL),
    totals AS (SELECT *, sum(visits) OVER (PARTITION BY ${tags}) AS total FROM tagged)
    SELECT bucket, ${tags}, visits FROM totals
    QUALIFY dense_rank() OVER (ORDER BY total DESC, ${join(TAGS.map((tag) => raw(`${tag} NULLS LAST`)))}) <= ${limit}`,
  );
  return rows;
}

/** What is counted of rows in each bucket. */
export function inBuckets<Row extends { bucket: number }>(
  { starts }: Trend,
  rows: readonly Row[],
  count: (row: Row) => number,
): number[] {
  const all = starts.map(() => 0);
  for (const row of rows) all[row.bucket] = (all[row.bucket] ?? 0) + count(row);
  return all;
}

/** The visits of rows in each bucket. */
export const visitsInBuckets = (trend: Trend, rows: readonly { bucket: number; visits: number }[]): number[] =>
  inBuckets(trend, rows, ({ visits }) => visits);

/** The visits in each bucket by words: those with the most visits first; of equals the first of the alphabet, nulls last. */
export function visitsByWord<Word extends string>(
  trend: Trend,
  rows: readonly VisitsOf<Word>[],
  words: readonly Word[],
): (Record<Word, string | null> & { buckets: number[]; total: number })[] {
  const found = new Map<string, VisitsOf<Word>[]>();
  for (const row of rows) {
    const key = JSON.stringify(words.map((word) => row[word]));
    const same = found.get(key);
    if (same) same.push(row);
    else found.set(key, [row]);
  }
  const sums = [...found.values()].map((same) => {
    const buckets = visitsInBuckets(trend, same);
    return { ...(same[0] as VisitsOf<Word>), buckets, total: buckets.reduce((sum, visits) => sum + visits, 0) };
  });
  const valuesOf = (row: Record<Word, string | null>) => words.map((word) => row[word]);
  return sums.sort((one, other) => other.total - one.total || inOrder(valuesOf(one), valuesOf(other)));
}

function inOrder(one: readonly (string | null)[], other: readonly (string | null)[]): number {
  const index = one.findIndex((word, place) => word !== other[place]);
  return byAlphabet(one[index] ?? null, other[index] ?? null);
}

/** The order of the alphabet, null last. */
export function byAlphabet(one: string | null, other: string | null): number {
  if (one === other) return 0;
  return one === null || (other !== null && one > other) ? 1 : -1;
}

/**
 * The sums of some combinations of values in each bucket, which is at least a local day.
 *
 * @param rows the combinations.
 * @returns for each combination, its sums in each bucket.
 */
export async function sumsOfRows(
  scope: Scope,
  { starts }: Trend,
  { by, parts, rows }: { by: readonly BreakdownKey[]; parts: readonly Part[]; rows: readonly (string | null)[][] },
): Promise<Sums[][]> {
  if (rows.length === 0 || parts.length === 0) return [];
  const keys = by.map((_, index) => KEYS[index] as Sql);
  const values = by.length > 0 ? sql`[${join(keys)}]` : sql`[]::VARCHAR[]`;
  const chosen = by.length > 0 ? isAmong(keys, rows) : sql`true`;
  const [found] = await queryCopy<[(Sums & { values: (string | null)[]; day: number })[]]>(
    scope,
    sql`
    SELECT ${values} AS values, on_day AS day, ${ADDED_UP}
    FROM (${partialSums(narrowed(scope, by, rows), by, parts, true)}) AS partial WHERE ${chosen} GROUP BY ${join([...keys, sql`on_day`])}`,
  );
  const bucketOf = bucketsOfDays(scope, starts);
  const totals = new Map(rows.map((values) => [JSON.stringify(values), starts.map(() => NOTHING)]));
  for (const { values, day, ...sums } of found) {
    const [buckets, index] = [totals.get(JSON.stringify(values)), bucketOf.get(Number(day))];
    if (buckets && index !== undefined) buckets[index] = add(buckets[index] ?? NOTHING, sums);
  }
  return rows.map((values) => totals.get(JSON.stringify(values)) ?? []);
}

/**
 * The same scope where it has only the values of one of several dimensions that the rows have: without it, every combination
 * would be counted for every day. One dimension is left to the rollup.
 */
function narrowed(scope: Scope, by: readonly BreakdownKey[], rows: readonly (string | null)[][]): Scope {
  const key = by.find((one): one is DimensionKey => !ONLY_ON_VISITS.has(one) && propertyIn(one) === null);
  if (by.length < 2 || key === undefined) return scope;
  const words = [...new Set(rows.map((values) => values[by.indexOf(key)] ?? ""))];
  const among = sql`${dimensionId(key)} IN (SELECT id FROM ${wordsOf(key)} AS words WHERE word IN (${join(words)}))`;
  const level = dimensionOf(key).level === "event" ? "event" : "visit";
  return { ...scope, filters: { ...scope.filters, [level]: [...scope.filters[level], among] } };
}

/** The bucket of each local day, by the day's number. */
function bucketsOfDays({ days, range }: Scope, starts: readonly Date[]): Map<number, number> {
  const numbers = dayNumbers(days, range.timezone);
  return new Map(
    numbers.map((number, index) => [number, starts.findLastIndex((start) => start <= (days[index] as Date))]),
  );
}
