import { LRUCache } from "lru-cache";
import { EARLIEST_MS, LATEST_MS, shifted } from "@/lib/analytics/query/scope";
import { EVENT_TYPES, type EventType, TRAFFIC_CLASSES, type TrafficClass } from "@/lib/contract/vocabulary";
import { Prisma, reports } from "@/lib/platform/db";
import { COLUMNS, type EventLine } from "@/lib/transfer/line";

/** Reads the events of a site out of the facts page by page, in the order of their times. */

/** Where a line stands: the moment in microseconds, the visit, and the place among the visit's events of that moment. */
export interface Cursor {
  at: string;
  visitId: string;
  place: number;
}

export const cursorText = ({ at, visitId, place }: Cursor): string => `${at}.${visitId}.${place}`;

/** Null for what is no event's id. */
export function readCursor(text: string): Cursor | null {
  const [, at, visitId, place] = /^(\d{1,17})\.(-?\d{1,19})\.(\d{1,9})$/.exec(text) ?? [];
  if (!at || !visitId || !place || BigInt.asIntN(64, BigInt(visitId)) !== BigInt(visitId)) return null;
  return { at, visitId, place: Number(place) };
}

/** Columns of the dictionaries, each under the name that a line has for it. */
const DICTIONARIES = {
  page: Prisma.sql`id, hostname, path, title FROM facts.page`,
  referrer: Prisma.sql`id, source, channel, rule AS channel_rule, url AS referrer FROM facts.referrer`,
  campaign: Prisma.sql`id, source AS utm_source, medium AS utm_medium, campaign AS utm_campaign, term AS utm_term,
    content AS utm_content FROM facts.campaign`,
  place: Prisma.sql`id, country, region, city, language FROM facts.place`,
  agent: Prisma.sql`id, browser, browser_version, os, os_version, device, screen, bot FROM facts.agent`,
  name: Prisma.sql`id, name FROM facts.name`,
  verdict: Prisma.sql`id, traffic AS verdict_traffic, reason AS verdict_reason, bot AS verdict_bot,
    operator AS verdict_operator, purpose AS verdict_purpose, verified AS verdict_verified, version AS verdict_version
    FROM facts.verdict`,
} as const;
type Dictionary = keyof typeof DICTIONARIES;

/** Words by the names of a line; what a dictionary does not know is unknown in the line. */
type Words = Partial<Record<keyof EventLine, string | null>>;

/** Words that were met, so many of each dictionary at most. */
const REMEMBERED = 10_000;

interface EventRow {
  at: string;
  time: string;
  moment: Date;
  place_among: number;
  copy: number;
  visit_id: string;
  visitor_id: string | null;
  user_hash: string | null;
  type: number;
  traffic: number;
  name: number;
  page: number;
  referrer: number;
  campaign: number;
  place: number;
  agent: number;
  engagement_ms: number | null;
  scroll: number | null;
  revenue: string | null;
  currency: string | null;
  props: EventLine["props"];
}

interface VisitRow {
  visit_id: string;
  started: string;
  duration_ms: number;
  entry_page: number;
  exit_page: number;
  pageviews: number;
  events: number;
  engagement_ms: number;
  interactions: number;
  traffic: number;
  verdict: number;
}

const NAMES = {
  type: new Map(Object.entries(EVENT_TYPES).map(([name, id]) => [id as number, name as EventType])),
  traffic: new Map(Object.entries(TRAFFIC_CLASSES).map(([name, id]) => [id as number, name as TrafficClass])),
};

/** Reads one site; knows the words that it has met. */
export class EventPages {
  private readonly known = new Map<Dictionary, LRUCache<number, Words>>();

  constructor(private readonly siteId: number) {}

  /**
   * The next events after `after` and before `end`: so many, and those that share the last one's moment and visit.
   *
   * @returns their lines, and where to go on; null when there are no more.
   */
  async read(after: Cursor, end: Date, most: number): Promise<{ lines: EventLine[]; next: Cursor | null }> {
    const found = await this.events(after, end, most);
    const isOld = ({ at, visit_id, place_among }: EventRow) =>
      at === after.at && visit_id === after.visitId && place_among <= after.place;
    const rows = found.filter((row) => !isOld(row));
    const visits = await this.visits(rows);
    await this.learn(rows, [...visits.values()]);
    const lines = rows.flatMap((row) => {
      const visit = row.visitor_id === null ? noVisitOf(row) : visits.get(row.visit_id);
      return visit ? [this.line(row, visit)] : [];
    });
    const last = found.at(-1);
    return { lines, next: last ? { ...cursorOf(last), place: WHOLE } : null };
  }

  /** Where to begin with the events from a moment on; null when there are none. */
  async beginning(from: Date): Promise<Cursor | null> {
    const [row] = await reports().$queryRaw<{ at: string | null }[]>`
      SELECT ${MICROSECONDS}::text AS at FROM (
        SELECT ts FROM facts.event WHERE site_id = ${this.siteId} AND ts >= ${from} ORDER BY ts LIMIT 1) AS fact`;
    return row?.at ? { at: row.at, visitId: LEAST_ID, place: 0 } : null;
  }

  /** In the order of the index by time; what shares a moment and a visit is never cut in two, so that it has an order of its own. */
  private async events({ at, visitId, place }: Cursor, end: Date, most: number): Promise<EventRow[]> {
    const first = Prisma.sql`timestamptz 'epoch' + ${at}::text::bigint * interval '1 microsecond'`;
    const beyond = place === WHOLE ? Prisma.sql`>` : Prisma.sql`>=`;
    return reports().$queryRaw<EventRow[]>`
      SELECT ${MICROSECONDS}::text AS at, ${isoOf(Prisma.sql`ts`)} AS time, ts AS moment,
             (row_number() OVER (PARTITION BY ts, visit_id ORDER BY ${CONTENT}))::int AS place_among,
             (row_number() OVER (PARTITION BY ts, visit_id, ${CONTENT}))::int AS copy,
             visit_id::text, visitor_id::text, user_hash::text, type::int, traffic::int, coalesce(name, 0) AS name, page, referrer,
             coalesce(campaign, 0) AS campaign, place,
             agent, engagement_ms, scroll::int, revenue::text, currency::text, props
      FROM (SELECT * FROM facts.event WHERE site_id = ${this.siteId} AND ts >= ${first} AND ts < ${end}
              AND (ts, visit_id) ${beyond} (${first}, ${visitId}::text::bigint)
            ORDER BY ts, visit_id FETCH FIRST (${most}::int) ROWS WITH TIES) AS fact
      ORDER BY ts, fact.visit_id, place_among`;
  }

  /** The visits of these events, by their ids. */
  private async visits(rows: readonly EventRow[]): Promise<Map<string, VisitRow>> {
    const [first, last] = [rows[0], rows.at(-1)];
    if (!first || !last) return new Map();
    const visitors = [...new Set(rows.flatMap(({ visitor_id }) => visitor_id ?? []))];
    const visits = await reports().$queryRaw<VisitRow[]>`
      SELECT visit_id::text, ${isoOf(Prisma.sql`started`)} AS started, duration_ms, entry_page, exit_page, pageviews, events,
             engagement_ms, interactions::int, traffic::int, verdict
      FROM facts.visit WHERE site_id = ${this.siteId} AND visitor_id = ANY(${visitors}::bigint[])
        AND started >= ${shifted(first.moment, -LATEST_MS)} AND started <= ${shifted(last.moment, EARLIEST_MS)}`;
    return new Map(visits.map((visit) => [visit.visit_id, visit]));
  }

  private async learn(rows: readonly EventRow[], visits: readonly VisitRow[]): Promise<void> {
    const wanted: Record<Dictionary, number[]> = {
      page: [...rows.map(({ page }) => page), ...visits.flatMap((visit) => [visit.entry_page, visit.exit_page])],
      referrer: rows.map(({ referrer }) => referrer),
      campaign: rows.map(({ campaign }) => campaign),
      place: rows.map(({ place }) => place),
      agent: rows.map(({ agent }) => agent),
      name: rows.map(({ name }) => name),
      verdict: visits.map(({ verdict }) => verdict),
    };
    for (const name of Object.keys(DICTIONARIES) as Dictionary[]) await this.learnWords(name, new Set(wanted[name]));
  }

  private async learnWords(name: Dictionary, ids: ReadonlySet<number>): Promise<void> {
    const met = this.known.get(name) ?? new LRUCache<number, Words>({ max: REMEMBERED });
    this.known.set(name, met);
    // Asked for even when it is known, so that none of this page is forgotten before its lines are made.
    const unknown = [...ids].filter((id) => id !== 0 && !met.get(id));
    if (unknown.length === 0) return;
    const found = await reports().$queryRaw<({ id: number } & Words)[]>`
      SELECT ${DICTIONARIES[name]} WHERE site_id = ${this.siteId} AND id = ANY(${unknown}::int[])`;
    for (const { id, ...words } of found) met.set(id, words);
  }

  private words(name: Dictionary, id: number): Words {
    return this.known.get(name)?.get(id) ?? {};
  }

  private line(row: EventRow, visit: VisitRow): EventLine {
    const [entry, exit] = [this.words("page", visit.entry_page), this.words("page", visit.exit_page)];
    const words = {
      ...this.words("name", row.name),
      ...this.words("page", row.page),
      ...this.words("referrer", row.referrer),
      ...this.words("campaign", row.campaign),
      ...this.words("place", row.place),
      ...this.words("agent", row.agent),
      ...this.words("verdict", visit.verdict),
    };
    const known = Object.fromEntries(Object.entries(words).map(([key, text]) => [key, text || null]));
    const { visit_id, visitor_id, user_hash, time, copy, engagement_ms, scroll, revenue, currency, props } = row;
    return {
      ...UNKNOWN,
      event_id: cursorText(cursorOf(row)),
      time,
      type: NAMES.type.get(row.type) ?? "event",
      ...known,
      ...{ copy, visit_id, visitor_id, user_hash, engagement_ms, scroll, revenue, currency, props },
      traffic: NAMES.traffic.get(row.traffic) ?? "human",
      visit_started: visit.started,
      visit_duration_ms: visit.duration_ms,
      visit_entry_hostname: entry.hostname || null,
      visit_entry_path: entry.path || null,
      visit_exit_hostname: exit.hostname || null,
      visit_exit_path: exit.path || null,
      visit_pageviews: visit.pageviews,
      visit_events: visit.events,
      visit_engagement_ms: visit.engagement_ms,
      visit_interactions: visit.interactions,
      visit_traffic: NAMES.traffic.get(visit.traffic) ?? "human",
    };
  }
}

/** What is exported in the place of a visit with an event that belongs to none. */
const noVisitOf = ({ visit_id, time, traffic }: EventRow): VisitRow => ({
  ...{ visit_id, started: time, duration_ms: 0, entry_page: 0, exit_page: 0, pageviews: 0, events: 0 },
  ...{ engagement_ms: 0, interactions: 0, traffic, verdict: 0 },
});

const cursorOf = ({ at, visit_id, place_among }: EventRow): Cursor => ({ at, visitId: visit_id, place: place_among });
/** The place behind all events of a moment and visit. */
const WHOLE = Number.POSITIVE_INFINITY;
const LEAST_ID = `${-(2n ** 63n)}`;
/** Every column of a line, in their order. */
const UNKNOWN = Object.fromEntries(COLUMNS.map((column) => [column, null])) as Record<keyof EventLine, null>;

const isoOf = (moment: Prisma.Sql) =>
  Prisma.sql`to_char(${moment} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
const MICROSECONDS = Prisma.sql`(extract(epoch FROM fact.ts) * 1000000)::bigint`;
/** What tells the events of one visit in one moment apart: all that never changes. */
const CONTENT = Prisma.sql`type, name, page, engagement_ms, scroll, user_hash, revenue, currency, props`;
