import { type DimensionKey, dimensionOf, wordsOf } from "@/lib/analytics/dimensions";
import { type EventNumbers, nothingOf } from "@/lib/analytics/events";
import { told } from "@/lib/analytics/money";
import { bucketOf, dayOf, eventsIn, type Scope } from "@/lib/analytics/question";
import { revenueBy, type Sales } from "@/lib/analytics/sales";
import { Prisma, reports } from "@/lib/db";

/** One name of events from near: over time, with its properties, pages and sources. */

const MOST_KEYS = 30;
const MOST_VALUES = 10;
/** Characters of a value; what is longer is told by its beginning. */
const LONGEST_VALUE = 500;

interface Seen {
  count: number;
  visitors: number;
}

/**
 * The numbers of each bucket, gap-free. A visitor is one visitor a day, and one an hour where buckets are shorter.
 *
 * @param which SQL of the events.
 */
export async function eventSeries(sales: Sales, which: Prisma.Sql, starts: Date[]): Promise<EventNumbers[]> {
  const { scope } = sales;
  const bucket = bucketOf(Prisma.sql`fact.ts`, starts);
  const rows = await reports().$queryRaw<(EventNumbers & { bucket: number })[]>`
    SELECT counted.bucket::int, count, visitors, ${told(Prisma.sql`earned.revenue`, scope.currency)} AS revenue FROM (
      SELECT bucket, sum(count)::int AS count, count(visitor_id)::int AS visitors FROM (
        SELECT ${bucket} AS bucket, ${dayOf(Prisma.sql`fact.ts`, scope)} AS day, fact.visitor_id, count(*) AS count
        FROM facts.event AS fact WHERE ${eventsIn(scope)} AND ${which} GROUP BY 3, 2, 1) AS seen
      GROUP BY bucket) AS counted
    LEFT JOIN ${revenueBy(sales, bucket, Prisma.sql`WHERE ${which}`)} AS earned ON earned.key = counted.bucket`;
  const known = new Map(rows.map(({ bucket, ...numbers }) => [bucket, numbers]));
  return starts.map((_, index) => known.get(index) ?? nothingOf(scope.currency));
}

/** SQL: visitors of local days. Events of servers have no visitor. */
const VISITORS = Prisma.sql`count(DISTINCT (day, visitor_id)) FILTER (WHERE visitor_id IS NOT NULL)`;

export interface Property extends Seen {
  key: string;
  values: (Seen & { value: string })[];
  /** There are more values than these. */
  more: boolean;
}

/**
 * The properties of events that most of them carry, each with its most frequent values. Values are told as text, what
 * nests in them as JSON; a property that is null is not there.
 */
export async function propertiesOf(scope: Scope, which: Prisma.Sql): Promise<Property[]> {
  const rows = await reports().$queryRaw<(Seen & { key: string; value: string | null; values: number })[]>`
    WITH pairs AS MATERIALIZED (
      SELECT pair.key, left(pair.value, ${LONGEST_VALUE}::int) AS value, ${dayOf(Prisma.sql`fact.ts`, scope)} AS day,
             fact.visitor_id, count(*) AS count
      FROM facts.event AS fact CROSS JOIN LATERAL jsonb_each_text(fact.props) AS pair
      WHERE ${eventsIn(scope)} AND ${which} AND pair.value IS NOT NULL GROUP BY 1, 2, 3, 4),
    keys AS (
      SELECT key, sum(count)::int AS count, (${VISITORS})::int AS visitors,
             count(DISTINCT value)::int AS values
      FROM pairs GROUP BY key ORDER BY 2 DESC, key LIMIT ${MOST_KEYS}),
    ranked AS (
      SELECT key, value, sum(pairs.count)::int AS count, count(visitor_id)::int AS visitors,
             row_number() OVER (PARTITION BY key ORDER BY sum(pairs.count) DESC, value) AS place
      FROM pairs JOIN keys USING (key) GROUP BY key, value)
    SELECT key, NULL AS value, count, visitors, values, 0 AS place FROM keys
    UNION ALL SELECT key, value, count, visitors, 0, place FROM ranked WHERE place <= ${MOST_VALUES}
    ORDER BY place`;
  const keys = rows.flatMap(({ value, values, ...row }) => (value === null ? [{ ...row, values }] : []));
  return keys
    .sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1))
    .map(({ key, count, visitors, values: all }) => {
      const values = rows.flatMap((row) =>
        row.key === key && row.value !== null ? [{ value: row.value, count: row.count, visitors: row.visitors }] : [],
      );
      return { key, count, visitors, values, more: all > values.length };
    });
}

/** Where events happened or what led to them: the most frequent values of a dimension; null is unknown or none. */
export function valuesOf(
  scope: Scope,
  which: Prisma.Sql,
  key: DimensionKey,
  limit: number,
): Promise<(Seen & { value: string | null })[]> {
  return reports().$queryRaw`
    SELECT value, sum(count)::int AS count, count(visitor_id)::int AS visitors FROM (
      SELECT nullif(words.word, '') AS value, ${dayOf(Prisma.sql`fact.ts`, scope)} AS day, fact.visitor_id, count(*) AS count
      FROM facts.event AS fact
      LEFT JOIN ${wordsOf(key, scope.siteId)} AS words(id, word) ON words.id = ${dimensionOf(key).fact}
      WHERE ${eventsIn(scope)} AND ${which} GROUP BY 3, 2, 1) AS seen
    GROUP BY value ORDER BY visitors DESC, count DESC, value LIMIT ${limit}`;
}
