import type pg from "pg";
import { columnsOfFacts, EVENT, EVENT_CONTENT, type EventColumn, type FactColumn } from "@/lib/ingest/event/catalogue";
import { changedFacts, takeNumbers } from "@/lib/ingest/store/sequence";
import { ingestPool } from "@/lib/platform/pool";
import { reports } from "@/lib/platform/reports";
import { empty, type Queries, type Sql, sql } from "@/lib/platform/sql";
import { Temporal } from "@/lib/platform/time";

/** Stores the visits and events of an export. */

/** Rows by the names of their columns. */
type Rows = readonly Record<string, unknown>[];

interface ImportedFacts {
  /** In the lock order that all writers use. */
  visits: Rows;
  /** With `copy`, the place among identical events at the same time, and `behind`, how many events follow. */
  events: Rows;
  /** The range that has to be copied again: existing visits may grow, and pages may get a title. */
  span: { start: Date; end: Date };
}

/** Writes facts of a site in a transaction. @returns the number of events that were not there yet. */
export async function writeImportedFacts(
  client: pg.PoolClient,
  siteId: number,
  { visits, events, span }: ImportedFacts,
): Promise<number> {
  await client.query(ADD_VISITS, [siteId, JSON.stringify(visits)]);
  await client.query(takeNumbers(new Map([[siteId, events.length]])));
  const added = await client.query(ADD_EVENTS, [siteId, JSON.stringify(events)]);
  await client.query(changedFacts({ siteId, ...span }));
  return added.rowCount ?? 0;
}

/** Sets the titles of pages that have none, by the ids of the pages. */
export async function setMissingTitles(siteId: number, titles: ReadonlyMap<number, string>): Promise<void> {
  if (titles.size === 0) return;
  await ingestPool().query(SET_TITLES, [siteId, [...titles.keys()], [...titles.values()]]);
}

const SET_TITLES = `
  UPDATE facts.page SET title = given.title FROM unnest($2::int[], $3::text[]) AS given(id, title)
  WHERE page.site_id = $1 AND page.id = given.id AND page.title IS NULL`;

const EVENT_COLUMNS = columnsOfFacts("event").filter(([name]) => name !== "seq");
const VISIT_COLUMNS = columnsOfFacts("visit").filter(([name]) => name !== "user_hash");
const columnNames = (columns: typeof EVENT_COLUMNS) => columns.map(([name]) => name).join(", ");
const columnTypes = (columns: typeof EVENT_COLUMNS) => columns.map(([name, { type }]) => `${name} ${type}`).join(", ");
const isNullable = (column: EventColumn) => (EVENT[column] as FactColumn).nullable;

/** Inserts events that are not there yet. Identical events at the same time are numbered, so a second one is kept. */
const ADD_EVENTS = `
  INSERT INTO facts.event (site_id, ${columnNames(EVENT_COLUMNS)}, seq)
  SELECT $1, ${EVENT_COLUMNS.map(([name, { nullable }]) => (nullable ? `nullif(${name}, 0)` : name)).join(", ")},
    (SELECT last FROM facts.site_sequence WHERE site_id = $1) - behind
  FROM jsonb_to_recordset($2::jsonb) AS given(${columnTypes(EVENT_COLUMNS)}, copy int, behind int)
  WHERE copy > (
    SELECT count(*) FROM facts.event AS kept
    WHERE kept.site_id = $1 AND kept.ts = given.ts AND kept.visit_id = given.visit_id
      AND (${EVENT_CONTENT.map((name) => (isNullable(name) ? `coalesce(kept.${name}, 0)` : `kept.${name}`)).join(", ")})
        IS NOT DISTINCT FROM (${EVENT_CONTENT.map((name) => `given.${name}`).join(", ")}))`;

/** Merges visits. Visits only grow, so the larger values are the newer ones. */
const ADD_VISITS = `
  INSERT INTO facts.visit AS kept (site_id, ${columnNames(VISIT_COLUMNS)})
  SELECT $1, given.* FROM jsonb_to_recordset($2::jsonb) AS given(${columnTypes(VISIT_COLUMNS)})
  ON CONFLICT (site_id, visitor_id, started) DO UPDATE SET
    duration_ms = greatest(kept.duration_ms, excluded.duration_ms),
    entry_page = CASE WHEN kept.entry_page = 0 THEN excluded.entry_page ELSE kept.entry_page END,
    exit_page = CASE WHEN excluded.pageviews > kept.pageviews THEN excluded.exit_page ELSE kept.exit_page END,
    pageviews = greatest(kept.pageviews, excluded.pageviews),
    traffic = CASE WHEN kept.verdict = 0 THEN excluded.traffic ELSE kept.traffic END,
    verdict = CASE WHEN kept.verdict = 0 THEN excluded.verdict ELSE kept.verdict END,
    interactions = greatest(kept.interactions, excluded.interactions)
  WHERE (kept.duration_ms, kept.pageviews, kept.interactions, kept.verdict) IS DISTINCT FROM
    (excluded.duration_ms, excluded.pageviews, excluded.interactions, excluded.verdict)`;

/** Stores and deletes the daily sums of other services. */

/** The numbers of the dimensions whose sums depend on each other. */
export interface SumDimensions {
  /** The totals of a day. */
  total: number;
  /** Custom events by name. */
  event: number;
}

/** Returns the statement that deletes a site's sums of the dimensions and days in the temporary table `daily_sum`. */
export const deleteReplacedSums = (siteId: number): Sql => sql`
  DELETE FROM facts.imported AS old USING (SELECT DISTINCT dimension, day FROM daily_sum) AS new
  WHERE old.site_id = ${siteId} AND old.dimension = new.dimension AND old.day = new.day`;

/** Returns the statement that stores the sums in the temporary table `daily_sum`. */
export const insertSums = (siteId: number, source: string): Sql => sql`
  INSERT INTO facts.imported (site_id, source, dimension, day, value, visitors, visits, bounces, duration_ms, pageviews, events)
  SELECT ${siteId}, ${source}, dimension, day, word, sum(visitors), ${sumOfKnown(sql`visits`)}, ${sumOfKnown(sql`bounces`)},
         ${sumOfKnown(sql`duration_ms`)}, ${sumOfKnown(sql`pageviews`)}, ${sumOfKnown(sql`events`)}
  FROM daily_sum GROUP BY dimension, day, word`;

/** SQL for a sum that is unknown when any part of it is. */
const sumOfKnown = (column: Sql): Sql => sql`CASE WHEN count(*) = count(${column}) THEN sum(${column}) END`;

/** SQL for whether the names in `daily_sum` tell of a day, called `whole.day`. */
function told(event: number, named?: "between" | "all"): Sql {
  if (named !== "between") return sql`${named === "all"}`;
  const names = sql`FROM daily_sum WHERE dimension = ${event}`;
  return sql`whole.day BETWEEN (SELECT min(day) ${names}) AND (SELECT max(day) ${names})`;
}

/**
 * Returns the statement that sets the event totals of the days in `daily_sum`. Custom events are only reported by name,
 * so the total of a day is the sum over all names.
 *
 * @param named of which days names tell, so that one without any had no events: from the first with a name to the last, or
 *   from the first imported day to the last
 */
export const setEventTotals = (siteId: number, { total, event }: SumDimensions, named?: "between" | "all"): Sql => sql`
  UPDATE facts.imported AS total SET events = told.events
  FROM (
    SELECT whole.day, CASE WHEN count(named.value) = count(named.events) THEN coalesce(sum(named.events), 0) END AS events
    FROM facts.imported AS whole
    LEFT JOIN facts.imported AS named ON named.site_id = whole.site_id AND named.day = whole.day AND named.dimension = ${event}
    WHERE whole.site_id = ${siteId} AND whole.dimension = ${total}
      AND whole.day BETWEEN (SELECT min(day) FROM daily_sum) AND (SELECT max(day) FROM daily_sum)
    GROUP BY whole.day
    HAVING count(named.value) > 0 OR ${told(event, named)}) AS told
  WHERE total.site_id = ${siteId} AND total.dimension = ${total} AND total.day = told.day`;

/**
 * Deletes the sums of one source, or of all, within a transaction. Days that lose their totals are deleted completely,
 * including data of other sources, because reports need totals.
 *
 * @param source null for all sources
 * @returns the number of days that no longer have imported data
 */
export async function deleteSums(
  on: Queries,
  siteId: number,
  source: string | null,
  { total, event }: SumDimensions,
): Promise<number> {
  await on.query(lockDays(siteId));
  const days = await countImportedDays(on, siteId);
  const ofSource = source === null ? empty : sql`AND source = ${source}`;
  // The event total of a day is the sum over its event names, which all come from one source.
  await on.query(sql`
    UPDATE facts.imported AS total SET events = NULL
    WHERE site_id = ${siteId} AND dimension = ${total} AND day IN (
      SELECT day FROM facts.imported WHERE site_id = ${siteId} AND dimension = ${event} ${ofSource})`);
  await on.query(sql`DELETE FROM facts.imported WHERE site_id = ${siteId} ${ofSource}`);
  await on.query(sql`
    DELETE FROM facts.imported AS part WHERE site_id = ${siteId} AND NOT EXISTS (
      SELECT FROM facts.imported AS whole
      WHERE whole.site_id = ${siteId} AND whole.dimension = ${total} AND whole.day = part.day)`);
  // Any change makes the analytics copies read all imported data again.
  await on.query(changedFacts({ siteId, start: new Date(0), end: new Date(0) }));
  return days - (await countImportedDays(on, siteId));
}

async function countImportedDays(on: Queries, siteId: number): Promise<number> {
  const { rows } = await on.query<{ days: number }>(sql`
    SELECT count(DISTINCT day)::int AS days FROM facts.imported WHERE site_id = ${siteId}`);
  return rows[0]?.days ?? 0;
}

/**
 * Returns the statement that locks the days of a site until the transaction ends: imports wait for each other, and for
 * whatever deletes days or dimension values.
 */
export const lockDays = (siteId: number): Sql =>
  sql`SELECT 1 FROM pg_advisory_xact_lock(hashtext('facts.days'), ${siteId}::int)`;

/** Returns the first and last imported day of a site between two dates, or null. */
export async function importedDays(
  siteId: number,
  from: Temporal.PlainDate = FIRST,
  to: Temporal.PlainDate = LAST,
): Promise<{ from: Temporal.PlainDate; to: Temporal.PlainDate } | null> {
  const {
    rows: [row],
  } = await reports().query<{ first: string | null; last: string | null }>(sql`
    SELECT min(day)::text AS first, max(day)::text AS last FROM facts.imported
    WHERE site_id = ${siteId} AND dimension = 0 AND day BETWEEN ${from.toString()}::date AND ${to.toString()}::date`);
  return row?.first && row.last
    ? { from: Temporal.PlainDate.from(row.first), to: Temporal.PlainDate.from(row.last) }
    : null;
}

const FIRST = Temporal.PlainDate.from("1970-01-01");
const LAST = Temporal.PlainDate.from("2100-12-31");
