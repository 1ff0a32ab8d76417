import type pg from "pg";
import { columnsOfFacts, EVENT, EVENT_CONTENT, type EventColumn, type FactColumn } from "@/lib/ingest/event/catalogue";
import { changedFacts, takeNumbers } from "@/lib/ingest/store/sequence";
import { ingestPool } from "@/lib/platform/pool";

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
