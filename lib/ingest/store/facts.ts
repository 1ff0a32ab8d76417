import type pg from "pg";
import { EVENT_TYPES, TRAFFIC_CLASSES, type TrafficClass } from "@/lib/contract/vocabulary";
import { isoTimestamp, millisecondOf } from "@/lib/ingest/store/arrival-time";
import { type DimensionIds, type FoundVisit, LONGEST_VISIT_MS, userOf, type Visit } from "@/lib/ingest/store/visits";
import type { WritableEvent } from "@/lib/ingest/store/writable-event";

/** How the facts are read and written: the only SQL that knows their columns. */

/** A hit that is stored, with its words and its visit. */
export interface StoredEvent {
  hit: WritableEvent;
  words: DimensionIds;
  visit: Visit;
  /** Its class when it came: what a visit did later does not colour what it did before. */
  traffic: TrafficClass;
}

/** The latest visit of each visitor these hits may come from, and the latest in which each of their users was identified. */
export async function findVisits(client: pg.PoolClient, hits: readonly WritableEvent[]): Promise<FoundVisit[]> {
  const visitors = new Map<string, number>();
  const users = new Map<string, number>();
  let earliest = Number.POSITIVE_INFINITY;
  for (const hit of hits) {
    earliest = Math.min(earliest, millisecondOf(hit.timestamp));
    for (const visitor of hit.visitors) visitors.set(visitor, hit.siteId);
    const user = userOf(hit);
    if (user !== null) users.set(user, hit.siteId);
  }
  const since = new Date(earliest - LONGEST_VISIT_MS);
  const valuesOf = (asked: Map<string, number>) => [
    `{${[...asked.values()].join(",")}}`,
    `{${[...asked.keys()].join(",")}}`,
    since,
  ];
  const found = await Promise.all([
    client.query({ name: "find-visits", text: FIND_VISITS, values: valuesOf(visitors) }),
    ...(users.size > 0
      ? [client.query({ name: "find-user-visits", text: FIND_USER_VISITS, values: valuesOf(users) })]
      : []),
  ]);
  return found.flatMap(({ rows }, statement) =>
    rows.map((row) => ({ visit: readVisit(row), byUser: statement === 1 })),
  );
}

/** Reads a row of one of these statements. */
function readVisit(row: pg.QueryResultRow): Visit {
  const started = Math.round(row.started);
  return {
    siteId: row.site_id,
    visitId: row.visit_id,
    visitorId: row.visitor_id,
    userHash: row.user_hash,
    started,
    last: started + row.duration_ms,
    referrer: row.referrer,
    campaign: row.campaign,
    place: row.place,
    agent: row.agent,
    verdict: row.verdict,
    traffic: CLASS_NAMES.get(row.traffic) ?? "human",
    added: { entry: 0, exit: 0, pageviews: 0, events: 0, engagementMs: 0, interactions: 0 },
  };
}

const CLASS_NAMES = new Map(Object.entries(TRAFFIC_CLASSES).map(([name, id]) => [id as number, name as TrafficClass]));

const FOUND = `SELECT site_id, visit_id, visitor_id, user_hash, extract(epoch FROM started)::float8 * 1000 AS started,
    duration_ms, referrer, campaign, place, agent, verdict, traffic
  FROM facts.visit AS visit`;
const FIND_VISITS = `
  SELECT found.* FROM unnest($1::int[], $2::bigint[]) AS asked(site_id, visitor_id), LATERAL (${FOUND}
    WHERE visit.site_id = asked.site_id AND visit.visitor_id = asked.visitor_id AND visit.started > $3
    ORDER BY visit.started DESC LIMIT 1) AS found`;
const FIND_USER_VISITS = `
  SELECT found.* FROM unnest($1::int[], $2::bigint[]) AS asked(site_id, user_hash), LATERAL (${FOUND}
    WHERE visit.site_id = asked.site_id AND visit.user_hash = asked.user_hash AND visit.started > $3
    ORDER BY visit.started + visit.duration_ms * interval '1 millisecond' DESC LIMIT 1) AS found`;

/**
 * The one order in which visitors and their visits are locked, by every process and by the job that classifies anew, so
 * that those who wait for each other never do so in a circle: that of Postgres's bigints, which these are in decimal.
 */
export function compareVisitors(a: string, b: string): number {
  const negative = a.startsWith("-");
  if (negative !== b.startsWith("-")) return negative ? -1 : 1;
  const larger = a.length - b.length || (a === b ? 0 : a < b ? -1 : 1);
  return negative ? -larger : larger;
}

/** The statement that inserts the events and adds to their visits; none for no events. */
export function insertFacts(kept: readonly StoredEvent[]): pg.QueryConfig[] {
  if (kept.length === 0) return [];
  const visits = [...new Set(kept.map(({ visit }) => visit))]
    .filter((visit): visit is Visit & { visitorId: string } => visit.visitorId !== null)
    .sort((a, b) => a.siteId - b.siteId || compareVisitors(a.visitorId, b.visitorId) || a.started - b.started);
  const values = [
    ...EVENT_COLUMNS.map((column) => arrayOf(kept, column)),
    ...VISIT_COLUMNS.map((column) => arrayOf(visits, column)),
  ];
  return [{ name: "insert-facts", text: INSERT_FACTS, values }];
}

type Column<Row> = [name: string, type: string, read: (row: Row) => string | number | null];

/** The array of a column, as Postgres reads it. Only text needs quotes, and the driver gives them to everything. */
function arrayOf<Row>(rows: readonly Row[], [, type, read]: Column<Row>): string | unknown[] {
  return TEXTUAL.has(type) ? rows.map(read) : `{${rows.map((row) => read(row) ?? "NULL").join(",")}}`;
}

const TEXTUAL: ReadonlySet<string> = new Set(["text", "jsonb"]);

const EVENT_COLUMNS: Column<StoredEvent>[] = [
  ["ts", "timestamptz", ({ hit }) => isoTimestamp(hit.timestamp)],
  ["visit_id", "bigint", ({ visit }) => visit.visitId],
  ["visitor_id", "bigint", ({ visit }) => visit.visitorId],
  ["site_id", "int", ({ visit }) => visit.siteId],
  ["name", "int", ({ words }) => words.name || null],
  ["page", "int", ({ words }) => words.page],
  ["referrer", "int", ({ visit }) => visit.referrer],
  ["campaign", "int", ({ visit }) => visit.campaign || null],
  ["place", "int", ({ visit }) => visit.place],
  ["agent", "int", ({ visit }) => visit.agent],
  ["type", "smallint", ({ hit }) => EVENT_TYPES[hit.type]],
  ["traffic", "smallint", ({ traffic }) => TRAFFIC_CLASSES[traffic]],
  ["engagement_ms", "int", ({ hit }) => hit.engagementMs],
  ["scroll", "smallint", ({ hit }) => hit.scroll],
  ["user_hash", "bigint", ({ hit }) => hit.userHash],
  ["revenue", "numeric", ({ hit }) => hit.revenue],
  ["currency", "text", ({ hit }) => hit.currency],
  ["props", "jsonb", ({ hit }) => hit.props],
];

/** A visit counts its own pageviews and events no further: reports count the events themselves. */
export const MOST_COUNTED = 32_767;

const VISIT_COLUMNS: Column<Visit>[] = [
  ["started", "timestamptz", (visit) => new Date(visit.started).toISOString()],
  ["visit_id", "bigint", (visit) => visit.visitId],
  ["visitor_id", "bigint", (visit) => visit.visitorId],
  ["user_hash", "bigint", (visit) => visit.userHash],
  ["site_id", "int", (visit) => visit.siteId],
  ["duration_ms", "int", (visit) => visit.last - visit.started],
  ["entry_page", "int", (visit) => visit.added.entry],
  ["exit_page", "int", (visit) => visit.added.exit],
  ["referrer", "int", (visit) => visit.referrer],
  ["campaign", "int", (visit) => visit.campaign],
  ["place", "int", (visit) => visit.place],
  ["agent", "int", (visit) => visit.agent],
  ["pageviews", "smallint", (visit) => Math.min(visit.added.pageviews, MOST_COUNTED)],
  ["events", "smallint", (visit) => Math.min(visit.added.events, MOST_COUNTED)],
  ["engagement_ms", "int", (visit) => visit.added.engagementMs],
  ["interactions", "smallint", (visit) => visit.added.interactions],
  ["traffic", "smallint", (visit) => TRAFFIC_CLASSES[visit.traffic]],
  ["verdict", "int", (visit) => visit.verdict],
];

const names = (columns: Column<never>[]) => columns.map(([name]) => name).join(", ");
const parameters = (columns: Column<never>[], after: number) =>
  columns.map(([, type], index) => `$${after + index + 1}::${type}[]`).join(", ");

const INSERT_FACTS = `
  WITH events AS (
    INSERT INTO facts.event (${names(EVENT_COLUMNS)})
    SELECT * FROM unnest(${parameters(EVENT_COLUMNS, 0)}))
  INSERT INTO facts.visit AS kept (${names(VISIT_COLUMNS)})
  SELECT * FROM unnest(${parameters(VISIT_COLUMNS, EVENT_COLUMNS.length)})
  ON CONFLICT (site_id, visitor_id, started) DO UPDATE SET
    duration_ms = greatest(kept.duration_ms, excluded.duration_ms),
    user_hash = coalesce(kept.user_hash, excluded.user_hash),
    entry_page = CASE WHEN kept.entry_page = 0 THEN excluded.entry_page ELSE kept.entry_page END,
    exit_page = CASE WHEN excluded.exit_page = 0 THEN kept.exit_page ELSE excluded.exit_page END,
    pageviews = least(${MOST_COUNTED}, kept.pageviews::int + excluded.pageviews)::smallint,
    events = least(${MOST_COUNTED}, kept.events::int + excluded.events)::smallint,
    traffic = CASE WHEN kept.verdict = 0 THEN excluded.traffic ELSE kept.traffic END,
    verdict = CASE WHEN kept.verdict = 0 THEN excluded.verdict ELSE kept.verdict END,
    engagement_ms = least(2147483647::bigint, kept.engagement_ms::bigint + excluded.engagement_ms)::int,
    interactions = least(100, kept.interactions + excluded.interactions)::smallint`;
