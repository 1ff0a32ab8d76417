import type pg from "pg";
import { EVENT_TYPES, TRAFFIC_CLASSES, type TrafficClass } from "@/lib/contract/vocabulary";
import {
  EVENT,
  type EventColumn,
  type FactColumn,
  LONGEST_VISIT_MS,
  VISIT,
  type VisitColumn,
} from "@/lib/ingest/event/catalogue";
import type { DecidedEvent } from "@/lib/ingest/event/decided-event";
import { isoTimestamp, millisecondOf } from "@/lib/ingest/store/arrival-time";
import { takeNumbers } from "@/lib/ingest/store/sequence";
import { type DimensionIds, type FoundVisit, userOf, type Visit } from "@/lib/ingest/store/visits";

/** Reads and writes facts: the only SQL that knows their columns. */

/** A decided event as a row: with the ids of its values, and its visit. `EVENT_COLUMNS` says what each column has. */
export interface StoredEvent {
  event: DecidedEvent;
  ids: DimensionIds;
  visit: Visit;
  /** Its class on arrival: later events of the visit do not change it. */
  traffic: TrafficClass;
}

/**
 * Returns the latest visit of each possible visitor of the events, and the latest in which each of their users was
 * identified.
 */
export async function findVisits(
  client: pg.PoolClient,
  events: readonly DecidedEvent[],
  distributed: boolean,
): Promise<FoundVisit[]> {
  const visitors = new Map<string, number>();
  const users = new Map<string, number>();
  let earliest = Number.POSITIVE_INFINITY;
  for (const event of events) {
    earliest = Math.min(earliest, millisecondOf(event.timestamp));
    for (const visitor of event.visitors) visitors.set(visitor, event.siteId);
    const user = userOf(event);
    if (user !== null) users.set(user, event.siteId);
  }
  const since = new Date(earliest - LONGEST_VISIT_MS);
  const valuesOf = (wanted: Map<string, number>) => [
    `{${[...wanted.values()].join(",")}}`,
    `{${[...wanted.keys()].join(",")}}`,
    since,
    ...(distributed ? [`{${[...new Set(wanted.values())].join(",")}}`] : []),
  ];
  const among = distributed ? "AND visit.site_id = ANY($4::int[])" : "";
  const found = await Promise.all([
    client.query({ name: "find-visits", text: findByVisitor(among), values: valuesOf(visitors) }),
    ...(users.size > 0
      ? [client.query({ name: "find-user-visits", text: findByUser(among), values: valuesOf(users) })]
      : []),
  ]);
  return found.flatMap(({ rows }, statement) =>
    rows.map((row) => ({ visit: readVisit(row), byUser: statement === 1 })),
  );
}

/** Converts a row of these statements to a visit. */
export function readVisit(row: pg.QueryResultRow): Visit {
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
    added: { entry: 0, exit: 0, pageviews: 0, interactions: 0 },
  };
}

export const CLASS_NAMES = new Map(
  Object.entries(TRAFFIC_CLASSES).map(([name, id]) => [id as number, name as TrafficClass]),
);

export const FOUND = `visit.site_id, visit.visit_id, visit.visitor_id, visit.user_hash,
    extract(epoch FROM visit.started)::float8 * 1000 AS started, visit.duration_ms, visit.referrer, visit.campaign, visit.place,
    visit.agent, visit.verdict, visit.traffic`;
// Joins on the site, so that each node of a distributed Postgres looks up the visits of its own sites. With their list,
// Citus asks only the shards of these sites; one node would look up each visitor in each site.
const findByVisitor = (among: string) => `
  SELECT DISTINCT ON (visit.site_id, visit.visitor_id) ${FOUND}
  FROM unnest($1::int[], $2::bigint[]) AS wanted(site_id, visitor_id)
  JOIN facts.visit AS visit ON visit.site_id = wanted.site_id AND visit.visitor_id = wanted.visitor_id
  WHERE visit.started > $3 ${among} ORDER BY visit.site_id, visit.visitor_id, visit.started DESC`;
const findByUser = (among: string) => `
  SELECT DISTINCT ON (visit.site_id, visit.user_hash) ${FOUND}
  FROM unnest($1::int[], $2::bigint[]) AS wanted(site_id, user_hash)
  JOIN facts.visit AS visit ON visit.site_id = wanted.site_id AND visit.user_hash = wanted.user_hash
  WHERE visit.started > $3 ${among}
  ORDER BY visit.site_id, visit.user_hash, visit.started + visit.duration_ms * interval '1 millisecond' DESC`;

/**
 * Compares visitor ids in the order in which every process and the reclassification job lock them, so that they cannot
 * deadlock: numerically, as Postgres orders bigint.
 */
export function compareVisitors(a: string, b: string): number {
  const negative = a.startsWith("-");
  if (negative !== b.startsWith("-")) return negative ? -1 : 1;
  const larger = a.length - b.length || (a === b ? 0 : a < b ? -1 : 1);
  return negative ? -larger : larger;
}

/**
 * Returns the statement that inserts the events and updates their visits; none for no events.
 *
 * @param others visits that are written without a new event.
 */
export function insertFacts(stored: readonly StoredEvent[], others: readonly Visit[] = []): pg.QueryConfig[] {
  if (stored.length === 0) return [];
  const visits = [...new Set([...stored.map(({ visit }) => visit), ...others])]
    .filter((visit): visit is Visit & { visitorId: string } => visit.visitorId !== null)
    .sort((a, b) => a.siteId - b.siteId || compareVisitors(a.visitorId, b.visitorId) || a.started - b.started);
  const { facts, behind } = numbered(stored);
  const places = new Map([...facts.keys()].map((siteId, index) => [siteId, index + 1]));
  return [
    { name: "write-visits", text: WRITE_VISITS, values: VISIT_COLUMNS.map((column) => arrayOf(visits, column)) },
    takeNumbers(facts),
    {
      name: "insert-events",
      text: INSERT_EVENTS,
      values: [
        ...EVENT_COLUMNS.map((column) => arrayOf(stored, column)),
        `{${behind.join(",")}}`,
        `{${stored.map(({ event }) => places.get(event.siteId)).join(",")}}`,
        `{${[...facts.keys()].join(",")}}`,
      ],
    },
  ];
}

/** Returns how many events each site has, in the order of their ids, and for each event how many of its site follow it. */
function numbered(stored: readonly StoredEvent[]): { facts: Map<number, number>; behind: number[] } {
  const sites = new Set(stored.map(({ event }) => event.siteId));
  const facts = new Map([...sites].sort((a, b) => a - b).map((siteId) => [siteId, 0]));
  const behind = stored.map(() => 0);
  for (let index = stored.length - 1; index >= 0; index--) {
    const siteId = stored[index]?.event.siteId as number;
    behind[index] = facts.get(siteId) ?? 0;
    facts.set(siteId, (behind[index] as number) + 1);
  }
  return { facts, behind };
}

type Column<Row> = [name: string, type: string, read: (row: Row) => string | number | null];

/**
 * Returns a column as a Postgres array literal. Only text needs quotes, so only text columns are left to the driver.
 */
function arrayOf<Row>(rows: readonly Row[], [, type, read]: Column<Row>): string | unknown[] {
  return TEXTUAL.has(type) ? rows.map(read) : `{${rows.map((row) => read(row) ?? "NULL").join(",")}}`;
}

/** Returns the columns of a table with what to write into them. Only here is known what a row has. */
function columnsToWrite<Row, Name extends string>(
  catalogue: Readonly<Record<Name, FactColumn>>,
  read: Record<Name | "site_id", Column<Row>[2]>,
): Column<Row>[] {
  return (Object.keys(read) as (Name | "site_id")[]).map((name) => [
    name,
    name === "site_id" ? "int" : catalogue[name].type,
    read[name],
  ]);
}

const TEXTUAL: ReadonlySet<string> = new Set(["text", "jsonb"]);

const EVENT_COLUMNS = columnsToWrite<StoredEvent, Exclude<EventColumn, "seq">>(EVENT, {
  ts: ({ event }) => isoTimestamp(event.timestamp),
  visit_id: ({ visit }) => visit.visitId,
  visitor_id: ({ visit }) => visit.visitorId,
  site_id: ({ visit }) => visit.siteId,
  name: ({ ids }) => ids.name || null,
  page: ({ ids }) => ids.page,
  referrer: ({ visit }) => visit.referrer,
  campaign: ({ visit }) => visit.campaign || null,
  place: ({ visit }) => visit.place,
  agent: ({ visit }) => visit.agent,
  type: ({ event }) => EVENT_TYPES[event.type],
  traffic: ({ traffic }) => TRAFFIC_CLASSES[traffic],
  engagement_ms: ({ event }) => event.engagementMs,
  scroll: ({ event }) => event.scroll,
  user_hash: ({ event }) => event.userHash,
  revenue: ({ event }) => event.revenue,
  currency: ({ event }) => event.currency,
  props: ({ event }) => event.props,
  status: ({ event }) => event.status,
});

/** Upper limit of a visit's pageviews (smallint). Reports count the events themselves. */
export const MAX_PAGEVIEWS = 32_767;

const VISIT_COLUMNS = columnsToWrite<Visit, VisitColumn>(VISIT, {
  started: (visit) => new Date(visit.started).toISOString(),
  visit_id: (visit) => visit.visitId,
  visitor_id: (visit) => visit.visitorId,
  user_hash: (visit) => visit.userHash,
  site_id: (visit) => visit.siteId,
  duration_ms: (visit) => visit.last - visit.started,
  entry_page: (visit) => visit.added.entry,
  exit_page: (visit) => visit.added.exit,
  referrer: (visit) => visit.referrer,
  campaign: (visit) => visit.campaign,
  place: (visit) => visit.place,
  agent: (visit) => visit.agent,
  pageviews: (visit) => Math.min(visit.added.pageviews, MAX_PAGEVIEWS),
  interactions: (visit) => visit.added.interactions,
  traffic: (visit) => TRAFFIC_CLASSES[visit.traffic],
  verdict: (visit) => visit.verdict,
});

const names = (columns: Column<never>[]) => columns.map(([name]) => name).join(", ");
const parameters = (columns: Column<never>[], after: number) =>
  columns.map(([, type], index) => `$${after + index + 1}::${type}[]`).join(", ");

/**
 * Its transaction has taken the numbers of these events: they end with the last one of their site. Those are read once
 * per site, as an array: while a long snapshot is open, the row of a busy site has thousands of versions. The events are
 * inserted in the order of their numbers, because an index whose values only grow has full pages.
 */
const INSERT_EVENTS = `
  INSERT INTO facts.event (${names(EVENT_COLUMNS)}, seq)
  SELECT ${EVENT_COLUMNS.map(([name]) => `given.${name}`).join(", ")}, taken.last[given.place_of_site] - given.behind
  FROM unnest(${parameters([...EVENT_COLUMNS, ["behind", "int", () => null], ["place_of_site", "int", () => null]], 0)})
    AS given(${names(EVENT_COLUMNS)}, behind, place_of_site),
    (SELECT array_agg(last ORDER BY site_id) AS last FROM facts.site_sequence
      WHERE site_id = ANY($${EVENT_COLUMNS.length + 3}::int[])) AS taken
  ORDER BY given.behind DESC`;

const WRITE_VISITS = `
  INSERT INTO facts.visit AS stored (${names(VISIT_COLUMNS)})
  SELECT * FROM unnest(${parameters(VISIT_COLUMNS, 0)})
  ON CONFLICT (site_id, visitor_id, started) DO UPDATE SET
    duration_ms = greatest(stored.duration_ms, excluded.duration_ms),
    user_hash = coalesce(stored.user_hash, excluded.user_hash),
    entry_page = CASE WHEN stored.entry_page = 0 THEN excluded.entry_page ELSE stored.entry_page END,
    exit_page = CASE WHEN excluded.exit_page = 0 THEN stored.exit_page ELSE excluded.exit_page END,
    pageviews = least(${MAX_PAGEVIEWS}, stored.pageviews::int + excluded.pageviews)::smallint,
    traffic = CASE WHEN stored.verdict = 0 THEN excluded.traffic ELSE stored.traffic END,
    verdict = CASE WHEN stored.verdict = 0 THEN excluded.verdict ELSE stored.verdict END,
    interactions = least(100, stored.interactions + excluded.interactions)::smallint`;
