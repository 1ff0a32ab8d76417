import { LRUCache } from "lru-cache";
import { EARLIEST_MS, LATEST_MS, shifted } from "@/lib/analytics/query/scope";
import { EVENT_TYPES, type EventType, TRAFFIC_CLASSES, type TrafficClass } from "@/lib/contract/vocabulary";
import {
  columnsOfFacts,
  type DictionaryName,
  dictionaryColumns,
  dictionaryNames,
  EVENT_CONTENT,
  exportedExtras,
  exportedFields,
  extraOf,
  idColumns,
} from "@/lib/ingest/event/catalogue";
import { reports } from "@/lib/platform/reports";
import { raw, type Sql, sql } from "@/lib/platform/sql";
import { COLUMNS, type EventLine } from "@/lib/transfer/line";

/** Reads the events of a site from the facts tables page by page, ordered by time. */

/** Position of an event: its time in microseconds, its visit, and its index among the visit's events at that time. */
export interface Cursor {
  at: string;
  visitId: string;
  index: number;
}

const cursorText = ({ at, visitId, index }: Cursor): string => `${at}.${visitId}.${index}`;

/** Parses an event id; null if it is invalid. */
export function readEventCursor(text: string): Cursor | null {
  const [, at, visitId, index] = /^(\d{1,17})\.(-?\d{1,19})\.(\d{1,9})$/.exec(text) ?? [];
  if (!at || !visitId || !index || BigInt.asIntN(64, BigInt(visitId)) !== BigInt(visitId)) return null;
  return { at, visitId, index: Number(index) };
}

/** SQL for the rows of a dictionary, with its columns named as in an exported line. */
function exportedRows(name: DictionaryName): Sql {
  const columns = [...dictionaryColumns(name), ...extraOf(name)];
  const fields = [...exportedFields(name), ...exportedExtras(name)];
  const named = columns.map((column, index) => `${column} AS ${fields[index]}`);
  return raw(`id, ${named.join(", ")} FROM facts.${name}`);
}

/** Dimension values by column of an exported line. */
type Values = Partial<Record<keyof EventLine, string | null>>;

/** Cached entries per dictionary. */
const CACHE_SIZE = 10_000;

interface EventRow extends Record<Exclude<DictionaryName, "verdict">, number> {
  at: string;
  time: string;
  moment: Date;
  event_index: number;
  copy: number;
  visit_id: string;
  visitor_id: string | null;
  user_hash: string | null;
  type: number;
  traffic: number;
  engagement_ms: number | null;
  scroll: number | null;
  revenue: string | null;
  currency: string | null;
  props: EventLine["props"];
  status: number;
}

interface VisitRow {
  visit_id: string;
  started: string;
  duration_ms: number;
  entry_page: number;
  exit_page: number;
  pageviews: number;
  interactions: number;
  traffic: number;
  verdict: number;
}

const NAMES = {
  type: new Map(Object.entries(EVENT_TYPES).map(([name, id]) => [id as number, name as EventType])),
  traffic: new Map(Object.entries(TRAFFIC_CLASSES).map(([name, id]) => [id as number, name as TrafficClass])),
};

/** Reads the events of one site and caches dictionary entries. */
export class EventPages {
  private readonly cache = new Map<DictionaryName, LRUCache<number, Values>>();

  constructor(private readonly siteId: number) {}

  /**
   * Reads the next `limit` events after `after` and before `end`, plus those with the same time and visit as the last
   * one.
   *
   * @returns their lines, and the cursor to continue from; null if there are no more
   */
  async read(after: Cursor, end: Date, limit: number): Promise<{ lines: EventLine[]; next: Cursor | null }> {
    const found = await this.events(after, end, limit);
    const isRead = ({ at, visit_id, event_index }: EventRow) =>
      at === after.at && visit_id === after.visitId && event_index <= after.index;
    const rows = found.filter((row) => !isRead(row));
    const visits = await this.visits(rows);
    await this.loadValues(rows, [...visits.values()]);
    const lines = rows.flatMap((row) => {
      const visit = row.visitor_id === null ? emptyVisit(row) : visits.get(row.visit_id);
      return visit ? [this.line(row, visit)] : [];
    });
    const last = found.at(-1);
    return { lines, next: last ? { ...cursorOf(last), index: AFTER_ALL } : null };
  }

  /** Returns the cursor of the first event from a time on; null if there are none. */
  async startFrom(from: Date): Promise<Cursor | null> {
    const {
      rows: [row],
    } = await reports().query<{ at: string | null }>(sql`
      SELECT ${MICROSECONDS}::text AS at FROM (
        SELECT ts FROM facts.event WHERE site_id = ${this.siteId} AND ts >= ${from} ORDER BY ts LIMIT 1) AS fact`);
    return row?.at ? { at: row.at, visitId: SMALLEST_ID, index: 0 } : null;
  }

  /**
   * Ordered by the time index. Events with the same time and visit are always read together, so their index is
   * stable.
   */
  private async events({ at, visitId, index }: Cursor, end: Date, limit: number): Promise<EventRow[]> {
    const first = sql`timestamptz 'epoch' + ${at}::text::bigint * interval '1 microsecond'`;
    const beyond = index === AFTER_ALL ? sql`>` : sql`>=`;
    const { rows } = await reports().query<EventRow>(sql`
      SELECT ${MICROSECONDS}::text AS at, ${isoOf(sql`ts`)} AS time, ts AS moment,
             (row_number() OVER (PARTITION BY ts, visit_id ORDER BY ${CONTENT}))::int AS event_index,
             (row_number() OVER (PARTITION BY ts, visit_id, ${CONTENT}))::int AS copy,
             ${EVENT_VALUES}
      FROM (SELECT * FROM facts.event WHERE site_id = ${this.siteId} AND ts >= ${first} AND ts < ${end}
              AND (ts, visit_id) ${beyond} (${first}, ${visitId}::text::bigint)
            ORDER BY ts, visit_id FETCH FIRST (${limit}::int) ROWS WITH TIES) AS fact
      ORDER BY ts, fact.visit_id, event_index`);
    return rows;
  }

  /** Returns the visits of these events by id. */
  private async visits(rows: readonly EventRow[]): Promise<Map<string, VisitRow>> {
    const [first, last] = [rows[0], rows.at(-1)];
    if (!first || !last) return new Map();
    const visitors = [...new Set(rows.flatMap(({ visitor_id }) => visitor_id ?? []))];
    const { rows: visits } = await reports().query<VisitRow>(sql`
      SELECT ${isoOf(sql`started`)} AS started, ${VISIT_VALUES}
      FROM facts.visit WHERE site_id = ${this.siteId} AND visitor_id = ANY(${visitors}::bigint[])
        AND started >= ${shifted(first.moment, -LATEST_MS)} AND started <= ${shifted(last.moment, EARLIEST_MS)}`);
    return new Map(visits.map((visit) => [visit.visit_id, visit]));
  }

  private async loadValues(rows: readonly EventRow[], visits: readonly VisitRow[]): Promise<void> {
    for (const name of dictionaryNames) {
      const ofEvents = idColumns("event", name).flatMap((column) => rows.map((row) => row[column as keyof EventRow]));
      const ofVisits = idColumns("visit", name).flatMap((column) => visits.map((one) => one[column as keyof VisitRow]));
      await this.loadEntries(name, new Set([...ofEvents, ...ofVisits] as number[]));
    }
  }

  private async loadEntries(name: DictionaryName, ids: ReadonlySet<number>): Promise<void> {
    const entries = this.cache.get(name) ?? new LRUCache<number, Values>({ max: CACHE_SIZE });
    this.cache.set(name, entries);
    // `get` marks cached entries as recently used, so that none of this page is evicted before its lines are built.
    const missing = [...ids].filter((id) => id !== 0 && !entries.get(id));
    if (missing.length === 0) return;
    const { rows: found } = await reports().query<{ id: number } & Values>(sql`
      SELECT ${exportedRows(name)} WHERE site_id = ${this.siteId} AND id = ANY(${missing}::int[])`);
    for (const { id, ...values } of found) entries.set(id, values);
  }

  private values(name: DictionaryName, id: number): Values {
    return this.cache.get(name)?.get(id) ?? {};
  }

  private line(row: EventRow, visit: VisitRow): EventLine {
    const [entry, exit] = [this.values("page", visit.entry_page), this.values("page", visit.exit_page)];
    const ids = { ...row, verdict: visit.verdict };
    const values = Object.assign({}, ...dictionaryNames.map((name) => this.values(name, ids[name])));
    const known = Object.fromEntries(Object.entries(values).map(([key, text]) => [key, text || null]));
    const { visit_id, visitor_id, user_hash, time, copy, engagement_ms, scroll, revenue, currency, props, status } =
      row;
    return {
      ...UNKNOWN,
      event_id: cursorText(cursorOf(row)),
      time,
      type: NAMES.type.get(row.type) ?? "event",
      ...known,
      copy,
      visit_id,
      visitor_id,
      user_hash,
      engagement_ms,
      scroll,
      revenue,
      currency,
      props,
      status: status || null,
      traffic: NAMES.traffic.get(row.traffic) ?? "human",
      visit_started: visit.started,
      visit_duration_ms: visit.duration_ms,
      visit_entry_hostname: entry.hostname || null,
      visit_entry_path: entry.path || null,
      visit_exit_hostname: exit.hostname || null,
      visit_exit_path: exit.path || null,
      visit_pageviews: visit.pageviews,
      visit_interactions: visit.interactions,
      visit_traffic: NAMES.traffic.get(visit.traffic) ?? "human",
    };
  }
}

/** Exported as the visit of an event that belongs to none. */
const emptyVisit = ({ visit_id, time, traffic }: EventRow): VisitRow => ({
  visit_id,
  started: time,
  duration_ms: 0,
  entry_page: 0,
  exit_page: 0,
  pageviews: 0,
  interactions: 0,
  traffic,
  verdict: 0,
});

const cursorOf = ({ at, visit_id, event_index }: EventRow): Cursor => ({ at, visitId: visit_id, index: event_index });
/** Index after all events with the same time and visit. */
const AFTER_ALL = Number.POSITIVE_INFINITY;
const SMALLEST_ID = `${-(2n ** 63n)}`;
/** All columns of a line in order, so that every line has them. */
const UNKNOWN = Object.fromEntries(COLUMNS.map((column) => [column, null])) as Record<keyof EventLine, null>;

const isoOf = (moment: Sql) => sql`to_char(${moment} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
/** SQL for the values of columns: numbers that JavaScript cannot hold are text. */
const valuesOf = (table: "event" | "visit"): Sql =>
  raw(
    columnsOfFacts(table)
      .filter(([name, { type }]) => type !== "timestamptz" && name !== "seq")
      .map(([name, { type, nullable }]) => {
        if (nullable) return `coalesce(${name}, 0) AS ${name}`;
        if (type === "int" || type === "jsonb") return name;
        return `${name}::${type === "smallint" ? "int" : "text"}`;
      })
      .join(", "),
  );
const EVENT_VALUES = valuesOf("event");
const VISIT_VALUES = valuesOf("visit");

const MICROSECONDS = sql`(extract(epoch FROM fact.ts) * 1000000)::bigint`;
const CONTENT = raw(EVENT_CONTENT.join(", "));
