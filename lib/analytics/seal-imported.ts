import { type DimensionKey, ROLLED, wordsOf } from "@/lib/analytics/dimensions";
import { EVENT_NAMES } from "@/lib/analytics/listings";
import type { Scope } from "@/lib/analytics/question";
import type { Lists } from "@/lib/analytics/rollup-lists";
import type { Sums } from "@/lib/analytics/sums";
import type { Db } from "@/lib/db";
import { STARTED, TS, within } from "@/lib/fact-index";
import type { Temporal } from "@/lib/time";

/**
 * Days that another service counted. They have no facts: they are sealed from what was imported, and so answer what
 * rollups know and nothing else. Where a day has facts of its own, these count.
 */

/** The rollups that an imported day has, with the dimension whose words they are by; null for everything. */
const ROLLUPS: readonly { rollup: number; imported: number; key: DimensionKey | null }[] = [
  { rollup: 0, imported: 0, key: null },
  ...(Object.entries(ROLLED) as [DimensionKey, number][]).map(([key, rollup]) => ({ rollup, imported: rollup, key })),
  { rollup: EVENT_NAMES.rollup as number, imported: ROLLED.event as number, key: "event" },
];

type Row = { value: number } & Record<(typeof IMPORTED)[number], number>;
const IMPORTED = [
  "visitors",
  "visits",
  "bounces",
  "durationMs",
  "pageviews",
  "events",
] as const satisfies (keyof Sums)[];

/** What an imported day came to, by the numbers of rollups; null where the day was not imported or has facts. */
export async function importedDay(
  tx: Db,
  { siteId, range }: Pick<Scope, "siteId" | "range">,
  day: Temporal.PlainDate,
): Promise<Map<number, Lists> | null> {
  const date = day.toString();
  const [known] = await tx.$queryRaw<{ imported: boolean }[]>`
    SELECT EXISTS (SELECT FROM facts.imported WHERE site_id = ${siteId} AND dimension = 0 AND day = ${date}::date)
      AND NOT EXISTS (SELECT FROM facts.event WHERE site_id = ${siteId} AND ${within(TS, range)})
      AND NOT EXISTS (SELECT FROM facts.visit WHERE site_id = ${siteId} AND ${within(STARTED, range)})
      AS imported`;
  if (!known?.imported) return null;
  const found = new Map<number, Lists>();
  for (const { rollup, imported, key } of ROLLUPS)
    found.set(rollup, listsOf(await read(tx, siteId, date, imported, key)));
  return found;
}

/** Each word by its first id in the dictionary, in their order. */
const read = (tx: Db, siteId: number, date: string, dimension: number, key: DimensionKey | null) =>
  key === null
    ? tx.$queryRaw<Row[]>`
        SELECT 0 AS value, visitors, visits, bounces, duration_ms::float8 AS "durationMs", pageviews, events
        FROM facts.imported WHERE site_id = ${siteId} AND dimension = ${dimension} AND day = ${date}::date`
    : tx.$queryRaw<Row[]>`
        SELECT coalesce(firsts.first, 0) AS value, sum(visitors)::int AS visitors, sum(visits)::int AS visits,
               sum(bounces)::int AS bounces, sum(duration_ms)::float8 AS "durationMs", sum(pageviews)::int AS pageviews,
               sum(events)::int AS events
        FROM facts.imported LEFT JOIN (
          SELECT word, min(id) AS first FROM ${wordsOf(key, siteId)} AS words(id, word) WHERE word <> '' GROUP BY word
        ) AS firsts USING (word)
        WHERE site_id = ${siteId} AND dimension = ${dimension} AND day = ${date}::date GROUP BY 1 ORDER BY 1`;

const listsOf = (rows: readonly Row[]): Lists => ({
  ids: Int32Array.from(rows, ({ value }) => value),
  sums: {
    ...Object.fromEntries(IMPORTED.map((name) => [name, Float64Array.from(rows, (row) => row[name])])),
    ...Object.fromEntries(NEVER.map((name) => [name, new Float64Array(rows.length)])),
  },
});
/** What no other service tells by day in a way that could be added up. */
const NEVER = ["engagementMs", "engaged", "scroll", "scrolled"] as const satisfies (keyof Sums)[];
