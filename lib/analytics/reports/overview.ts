import { type DimensionKey, dimensionOf, EVERYTHING, ROLLED } from "@/lib/analytics/query/dimensions";
import { isAmong } from "@/lib/analytics/query/groups";
import { knownCounts, type Sums } from "@/lib/analytics/query/metrics";
import { queryCopy, type Scope, wholeVisits } from "@/lib/analytics/query/scope";
import { gatheredSums, knownVisits } from "@/lib/analytics/query/scope-sums";
import { ADDED_UP, type Part } from "@/lib/analytics/query/sums-sql";
import { countedByValues } from "@/lib/analytics/query/visit-values";
import { empty, join, raw, type Sql, sql } from "@/lib/platform/sql";

/** The panels of the overview and the dimension each one shows. */
export const PANELS = {
  pages: "page",
  entry_pages: "entry_page",
  exit_pages: "exit_page",
  sources: "source",
  channels: "channel",
  countries: "country",
  regions: "region",
  cities: "city",
  devices: "device",
  browsers: "browser",
  os: "os",
  utm_campaigns: "utm_campaign",
  utm_sources: "utm_source",
  utm_mediums: "utm_medium",
  event_names: "event",
} as const satisfies Record<string, DimensionKey>;
const panels = Object.entries(PANELS) as [keyof typeof PANELS, DimensionKey][];
/** Most visits have none of these: that is no row. */
const ONLY_KNOWN: ReadonlySet<DimensionKey> = new Set(["utm_campaign", "utm_source", "utm_medium", "event"]);

export interface PanelRow {
  /** null: unknown, or none (a direct visit has no source). */
  value: string | null;
  visitors: number;
  /** null: the import of another service does not tell. */
  visits: number | null;
  pageviews?: number | null;
}

/** The sums of a scope, and the `limit` values with the most visitors of every panel. */
export async function overviewOf(
  scope: Scope,
  limit: number,
): Promise<{ sums: Sums; panels: Record<keyof typeof PANELS, PanelRow[]> }> {
  const gathered = gatheredSums(scope);
  const [rows] = await queryCopy<[FoundValue[]]>(
    scope,
    sql`
    WITH ${gathered.tables}
    SELECT ${EVERYTHING} AS dimension, ${ADDED_UP} FROM (${gathered.sums([], ["visits", "events", "scrolls"])}) AS partial
    UNION ALL BY NAME FROM (${visitPanels(scope, mostVisitors(limit))}) AS panels
    UNION ALL BY NAME FROM (${eventPanel("page", sql`LIMIT ${limit}`, gathered)}) AS pages
    UNION ALL BY NAME FROM (${eventPanel("event", sql`LIMIT ${limit}`, gathered)}) AS names`,
  );
  const rowsOf = (key: DimensionKey): PanelRow[] =>
    rows
      .filter(({ dimension }) => dimension === ROLLED[key])
      .map((row) => {
        const { visits, pageviews } = knownCounts(row);
        return { value: row.value, visitors: row.visitors, visits, ...(key === "page" && { pageviews }) };
      });
  const { dimension: _, value: __, ...sums } = rows.find(({ dimension }) => dimension === EVERYTHING) as FoundValue;
  const panelRows = panels.map(([panel, key]) => [panel, rowsOf(key)]);
  return { sums, panels: Object.fromEntries(panelRows) };
}

/** The visitors that the values of panels had in another scope, such as that of a comparison; a value without any is missing. */
export async function visitorsOfPanels(
  scope: Scope,
  shown: Record<keyof typeof PANELS, readonly Pick<PanelRow, "value">[]>,
): Promise<Record<keyof typeof PANELS, Map<string | null, number>>> {
  const gathered = gatheredSums(scope);
  const valuesOf = (key: DimensionKey) =>
    panels.filter(([, other]) => other === key).flatMap(([panel]) => shown[panel].map(({ value }) => value));
  const among = (key: DimensionKey) =>
    isAmong(
      [raw("value")],
      valuesOf(key).map((value) => [value]),
    );
  const ofVisits = OF_VISITS.map((key) => sql`dimension = ${ROLLED[key] as number} AND ${among(key)}`);
  const [rows] = await queryCopy<[Pick<FoundValue, "dimension" | "value" | "visitors">[]]>(
    scope,
    sql`
    WITH ${gathered.tables}
    SELECT dimension, value, visitors FROM (${visitPanels(scope, empty)}) AS panels WHERE ${join(ofVisits, " OR ")}
    UNION ALL BY NAME SELECT dimension, value, visitors FROM (${eventPanel("page", empty, gathered)}) AS pages WHERE ${among("page")}
    UNION ALL BY NAME SELECT dimension, value, visitors FROM (${eventPanel("event", empty, gathered)}) AS names WHERE ${among("event")}`,
  );
  const found = panels.map(([panel, key]) => [
    panel,
    new Map(rows.filter((row) => row.dimension === ROLLED[key]).map(({ value, visitors }) => [value, visitors])),
  ]);
  return Object.fromEntries(found);
}

/** SQL that keeps so many values of each dimension, those with the most visitors. */
const mostVisitors = (limit: number): Sql =>
  sql`QUALIFY row_number() OVER (PARTITION BY dimension ORDER BY sum(visitors) DESC, sum(visits) DESC, value NULLS LAST) <= ${limit}`;

/** The sums of everything, or of a value of a panel; panels of visits have no sums of events. */
type FoundValue = Sums & { dimension: number; value: string | null };

function eventPanel(key: "page" | "event", kept: Sql, { sums }: ReturnType<typeof gatheredSums>): Sql {
  const ofPages = key === "page";
  const parts: Part[] = ofPages ? ["visits", "events"] : ["visits"];
  return sql`
    SELECT ${ROLLED[key]} AS dimension, k0 AS value, ${ADDED_UP} FROM (${sums([key], parts)}) AS partial
    GROUP BY k0 HAVING ${ofPages ? sql`sum(visitors) + sum(pageviews) > 0` : sql`true`} ${ONLY_KNOWN.has(key) ? sql`AND k0 IS NOT NULL` : empty}
    ORDER BY visitors DESC, ${ofPages ? raw("pageviews") : raw("visits")} DESC, value NULLS LAST ${kept}`;
}

/** The dimensions of the panels of visits. */
const OF_VISITS = panels.map(([, key]) => key).filter((key) => dimensionOf(key).level === "visit");

/** SQL for the numbers of the values of a dictionary, as `numbersOf` has those of one dimension. */
const numbersBy = (dictionary: string, keys: readonly DimensionKey[]): Sql => {
  const numbers = keys.map((key) => `min(id) OVER (PARTITION BY ${dimensionOf(key).word}) AS ${key}`);
  return raw(`(SELECT id, ${numbers.join(", ")} FROM ${dictionary})`);
};

/** SQL for rows `dimension, number, value` of all values of the panels of visits. */
const PANEL_VALUES = join(
  [...new Set(OF_VISITS.map((key) => dimensionOf(key).dictionary as string))].map((dictionary) => {
    const keys = OF_VISITS.filter((key) => dimensionOf(key).dictionary === dictionary);
    const numbers = keys.map((key) => ROLLED[key] as number);
    const values = keys.map((key) => `nullif(${dimensionOf(key).word}, '')`);
    return raw(
      `SELECT unnest([${numbers.join()}]) AS dimension, id AS number, unnest([${values.join()}]) AS value FROM ${dictionary}`,
    );
  }),
  " UNION ALL ",
);

/** SQL for rows `dimension, value, visitors, visits` of all panels of visits. @param kept SQL that keeps some of them. */
function visitPanels(scope: Scope, kept: Sql): Sql {
  const numbers = OF_VISITS.map((key) => ROLLED[key] as number);
  const needed = OF_VISITS.filter((key) => ONLY_KNOWN.has(key)).map((key) => ROLLED[key] as number);
  // Grouping by numbers takes a fraction of the time that grouping by texts takes.
  const found = sql`
    SELECT counted.dimension, words.value, visitors, visits FROM counted
    JOIN (${PANEL_VALUES}) AS words ON words.dimension = counted.dimension AND words.number = counted.value`;
  return sql`
    WITH ${countedByValues(OF_VISITS, { whole: wholeVisits(scope), values: numbersBy })},
    part AS (${join([found, ...knownVisits(scope, numbers)], " UNION ALL ")})
    SELECT dimension, value, sum(visitors)::BIGINT AS visitors, sum(visits)::BIGINT AS visits FROM part
    WHERE NOT (value IS NULL AND dimension IN (${join(needed)}))
    GROUP BY dimension, value HAVING sum(visitors) > 0
    ${kept}
    ORDER BY dimension, visitors DESC, visits DESC, value NULLS LAST`;
}
