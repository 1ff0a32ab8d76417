import { type Candidate, MOST_CANDIDATES } from "@/lib/analytics/candidates";
import { type DimensionKey, dimensionOf, numbered, ONLY_ON_VISITS } from "@/lib/analytics/dimensions";
import { VIEWS } from "@/lib/analytics/event-types";
import { ofTypes } from "@/lib/analytics/filters";
import { dayOf, eventsIn, type Scope, visitsIn } from "@/lib/analytics/question";
import { allOf, pieces, setOf } from "@/lib/analytics/sources";
import { Prisma, reports } from "@/lib/db";

/**
 * How many visitors the facts know of each of a few values. Each value of a dimension is a bit, so that all of those that
 * somebody came by on a day are one number, a mask: a visitor is looked up once for all dimensions, not once for each.
 */

/** Values of a dimension: as many as there may be candidates. */
export interface Chosen {
  key: DimensionKey;
  values: readonly Pick<Candidate, "value">[];
}

/** Where the bits of a dimension's values are. */
interface Bits extends Chosen {
  mask: number;
  /** The bit of the first value. */
  first: number;
}

/** Each piece looks the dictionaries up again. */
const PIECE_DAYS = 7;

/** All visitors of the facts that are not sealed, and those of each value of dimensions of visits in the order of the values. */
export async function visitorsBy(
  scope: Scope,
  chosen: readonly Chosen[],
): Promise<{ visitors: number; by: number[][] }> {
  const bits = packed(chosen);
  const last = Math.max(...bits.map(({ mask }) => mask));
  const masks = Array.from({ length: last + 1 }, (_, index) =>
    maskOf(
      scope.siteId,
      bits.filter(({ mask }) => mask === index),
      index,
    ),
  );
  const names = Prisma.join(masks.map(({ name }) => name));
  const each = pieces(scope, PIECE_DAYS).map(
    (piece) => Prisma.sql`
      SELECT GROUPING(${names}) AS list, coalesce(${names}, 1) AS mask, count(*) AS times FROM (
        SELECT ${Prisma.join(masks.map(({ name, bits }) => Prisma.sql`bit_or(${bits}) AS ${name}`))}
        FROM facts.visit AS fact ${joined(masks.map(({ join }) => join))} WHERE ${visitsIn(piece)}
        GROUP BY ${dayOf(Prisma.sql`fact.started`, piece)}, fact.visitor_id) AS visitors
      GROUP BY GROUPING SETS (${Prisma.join(masks.map(({ name }) => Prisma.sql`(${name})`))}, ())`,
  );
  const counts = await countBits(each);
  const count = (list: number, bit: number) => counts.get(list)?.[bit] ?? 0;
  return {
    // The mask of everybody is 1.
    visitors: count(allOf(masks.length), 0),
    by: bits.map(({ values, mask, first }) => values.map((_, bit) => count(setOf(masks.length, mask), first + bit))),
  };
}

/** The visitors of each page, and the visits in which it was seen, in the order of the pages. */
export async function visitorsByPage(
  scope: Scope,
  values: Chosen["values"],
): Promise<{ visitors: number; visits: number }[]> {
  const { join, bits } = maskOf(scope.siteId, [{ key: "page", values, mask: 0, first: 0 }], 0);
  const each = pieces(scope, PIECE_DAYS).map(
    (piece) => Prisma.sql`
      SELECT list, mask, count(*) AS times FROM (
        SELECT GROUPING(visit_id) AS list, bit_or(bits) AS mask FROM (
          SELECT ${dayOf(Prisma.sql`fact.ts`, piece)} AS day, fact.visitor_id, fact.visit_id, ${bits} AS bits
          FROM facts.event AS fact ${join}
          WHERE ${eventsIn(piece)} AND ${ofTypes(VIEWS)} AND fact.visitor_id IS NOT NULL) AS views
        WHERE bits <> 0 GROUP BY GROUPING SETS ((visit_id, visitor_id, day), (visitor_id, day))) AS seen
      GROUP BY list, mask`,
  );
  const [visits, visitors] = await countBits(each).then((counts) => [counts.get(0), counts.get(1)]);
  return values.map((_, bit) => ({ visitors: visitors?.[bit] ?? 0, visits: visits?.[bit] ?? 0 }));
}

/** Postgres' numbers have 64 bits, one of them the sign. */
const MOST_BITS = 2 * MOST_CANDIDATES;

/** Puts dimensions of one column of the visits into one mask while there is room. */
function packed(chosen: readonly Chosen[]): Bits[] {
  const used: { column: string; bits: number }[] = [];
  return chosen.map((one): Bits => {
    const column = dimensionOf(one.key).fact.sql;
    const fits = (mask: (typeof used)[number]) => mask.column === column && mask.bits + one.values.length <= MOST_BITS;
    const found = used.findIndex(fits);
    const mask = found < 0 ? used.push({ column, bits: 0 }) - 1 : found;
    const { bits: first } = used[mask] as (typeof used)[number];
    used[mask] = { column, bits: first + one.values.length };
    return { ...one, mask, first };
  });
}

/** SQL for a mask of a visit: its name, its bits, and the join of the dictionary that they are got from. */
function maskOf(siteId: number, own: readonly Bits[], index: number) {
  const [{ key }] = own as [Bits];
  const { fact, dictionary } = dimensionOf(key);
  const [name, table] = [numbered("m", index), numbered("mask", index)];
  const asked = own.map(({ key, values, first }, place) => {
    const words = values.map(({ value }) => value ?? "");
    const bits = words.map((_, bit) => 1n << BigInt(first + bit));
    const alias = numbered("asked", place);
    return {
      bits: Prisma.sql`coalesce(${alias}.bit, 0)`,
      join: Prisma.sql`
        LEFT JOIN unnest(${words}::text[], ${bits.map(String)}::bigint[]) AS ${alias}(word, bit)
        ON ${alias}.word = coalesce(${dimensionOf(key).word}, '')`,
      unknown: bits[words.indexOf("")] ?? 0n,
    };
  });
  const unknown = asked.reduce((sum, one) => sum | one.unknown, 0n);
  // What is in no dictionary is unknown.
  const known = Prisma.sql`coalesce(${table}.bits, ${unknown.toString()}::bigint)`;
  return {
    name,
    bits: ONLY_ON_VISITS.has(key) ? Prisma.sql`CASE WHEN fact.pageviews > 0 THEN ${known} ELSE 0 END` : known,
    join: Prisma.sql`
      LEFT JOIN (SELECT id, ${Prisma.join(
        asked.map(({ bits }) => bits),
        " | ",
      )} AS bits FROM ${dictionary ?? Prisma.empty} AS words ${joined(asked.map(({ join }) => join))}
        WHERE site_id = ${siteId}) AS ${table} ON ${table}.id = ${fact}`,
  };
}

const joined = (parts: Prisma.Sql[]) => Prisma.join(parts, " ");

/** How often each bit is set, by list. @param each rows `list, mask, times`. */
async function countBits(each: readonly Prisma.Sql[]): Promise<ReadonlyMap<number, number[]>> {
  const rows = await reports().$queryRaw<{ list: number; masks: string[]; times: number[] }[]>`
    SELECT list, array_agg(mask::text) AS masks, array_agg(times::int) AS times FROM (
      SELECT list, mask, sum(times) AS times FROM (${Prisma.join([...each], " UNION ALL ")}) AS piece GROUP BY list, mask) AS sums
    GROUP BY list`;
  return new Map(
    rows.map(({ list, masks, times }) => {
      const counts = new Array<number>(MOST_BITS).fill(0);
      for (const [index, mask] of masks.entries()) {
        for (let left = BigInt(mask), bit = 0; left > 0n; left >>= 1n, bit++) {
          if (left & 1n) counts[bit] = (counts[bit] ?? 0) + (times[index] ?? 0);
        }
      }
      return [list, counts];
    }),
  );
}
