import { type DimensionKey, wordsOf } from "@/lib/analytics/dimensions";
import { BOUNCED } from "@/lib/analytics/fact-sums";
import type { Chunk } from "@/lib/analytics/packed/chunks";
import {
  COLUMNS,
  DICTIONARIES,
  type Dictionary,
  EVENT_TRAFFIC_SHIFT,
  encode,
  FLAGS,
  OWN,
  VISIT_TRAFFIC_SHIFT,
  widthOf,
} from "@/lib/analytics/packed/layout";
import { EARLIEST_MS, LATEST_MS, moved, type Scope } from "@/lib/analytics/question";
import { type Db, Prisma } from "@/lib/db";
import { within } from "@/lib/fact-index";

/** Packs finished days: reads them from the facts, and keeps them. */

/** More events than these are spread over several chunks: each is held in memory, and counted without a pause. */
const CHUNK_EVENTS = 75_000;
/** Each reads the whole day: of a very large one they are larger. */
const MOST_CHUNKS = 16;

/** A day of all classes of traffic, chunk by chunk. At least one, also of a day on which nothing was. */
export async function* chunksOfFacts(tx: Db, scope: Scope, block: number): AsyncGenerator<Chunk> {
  const { siteId, range } = scope;
  const [{ events } = { events: 0 }] = await tx.$queryRaw<{ events: number }[]>`
    SELECT count(*)::int AS events FROM facts.event AS fact
    WHERE fact.site_id = ${siteId} AND ${within(FACT_TS, range)}`;
  const chunks = Math.min(MOST_CHUNKS, 1 + Math.floor(events / CHUNK_EVENTS));
  for (let chunk = 0; chunk < chunks; chunk++) {
    const rows = await rowsOf(tx, scope, chunk, chunks);
    yield { block, columns: await columnsOf(tx, siteId, rows) };
  }
}

/** Forgets a packed day. */
export const unpack = (tx: Db, siteId: number, block: number): Promise<number> =>
  tx.$executeRaw`DELETE FROM facts.packed WHERE site_id = ${siteId} AND block = ${block}`;

/** Keeps a chunk, one of so many of its day. */
export async function keep(tx: Db, { siteId, range }: Scope, { block, columns }: Chunk, chunk: number): Promise<void> {
  const values = await Promise.all(COLUMNS.map((name) => encode(columns[name])));
  await tx.$executeRaw`
    INSERT INTO facts.packed
      (site_id, block, chunk, timezone, flags, hits, duration, referrer, campaign, place, agent, entry_page, exit_page,
       kind, page, name, engagement, scroll, referrers, campaigns, places, agents, pages, names)
    VALUES (${siteId}, ${block}, ${chunk}, ${range.timezone}, ${Prisma.join(values)})`;
}

/** What is read of a visit and one of its events; lists of the same length, one place for each pair of both. */
type Rows = Record<keyof typeof LISTS, number[]>;

const FACT_TS = Prisma.sql`fact.ts`;
const FACT_STARTED = Prisma.sql`fact.started`;
const list = (column: Prisma.Sql) => Prisma.sql`coalesce(string_agg(${column}::text, ','), '')`;
const LISTS = {
  /** Whether the row is the first one of a visit, and of a visitor. */
  first: list(Prisma.sql`first`),
  newcomer: list(Prisma.sql`newcomer`),
  visitless: list(Prisma.sql`visitless`),
  began: list(Prisma.sql`began`),
  viewed: list(Prisma.sql`viewed`),
  bounced: list(Prisma.sql`bounced`),
  traffic: list(Prisma.sql`traffic`),
  duration: list(Prisma.sql`duration`),
  referrer: list(Prisma.sql`referrer`),
  campaign: list(Prisma.sql`campaign`),
  place: list(Prisma.sql`place`),
  agent: list(Prisma.sql`agent`),
  entry_page: list(Prisma.sql`entry_page`),
  exit_page: list(Prisma.sql`exit_page`),
  /** 0 where the visit has no event that is told. */
  type: list(Prisma.sql`type`),
  own: list(Prisma.sql`own`),
  /** Its class of traffic; of what happened on another day, whether that was later. */
  class: list(Prisma.sql`class`),
  page: list(Prisma.sql`page`),
  name: list(Prisma.sql`name`),
  engagement: list(Prisma.sql`engagement`),
  scroll: list(Prisma.sql`scroll`),
} as const;

/**
 * The visits of a day with their events, the visits of a visitor next to each other and the events of a visit by their
 * time. A visit that began on the day has all its events, whenever they were; any other those of the day.
 */
async function rowsOf(tx: Db, { siteId, range: { start, end } }: Scope, chunk: number, chunks: number): Promise<Rows> {
  const mine = Prisma.sql`fact.site_id = ${siteId} AND abs(coalesce(fact.visitor_id, fact.visit_id) % ${chunks}::int) = ${chunk}::int`;
  const [row] = await tx.$queryRaw<{ lists: string }[]>`
    WITH began AS MATERIALIZED (
      SELECT * FROM facts.visit AS fact WHERE ${mine} AND ${within(FACT_STARTED, { start, end })}),
    crossing AS MATERIALIZED (
      SELECT visit_id FROM began WHERE started < ${moved(start, EARLIEST_MS)}
        OR started + duration_ms * interval '1 millisecond' >= ${end}),
    seen AS MATERIALIZED (
      SELECT true AS own, fact.* FROM facts.event AS fact WHERE ${mine} AND ${within(FACT_TS, { start, end })}
      UNION ALL SELECT false, fact.* FROM facts.event AS fact
      WHERE ${mine} AND fact.visit_id IN (SELECT visit_id FROM crossing)
        AND ((${within(FACT_TS, { start: moved(start, -EARLIEST_MS), end: start })})
          OR (${within(FACT_TS, { start: end, end: moved(end, LATEST_MS) })}))),
    others AS MATERIALIZED (
      SELECT * FROM facts.visit AS fact WHERE ${mine} AND fact.visit_id IN (SELECT visit_id FROM seen)
        AND ((${within(FACT_STARTED, { start: moved(start, -LATEST_MS), end: start })})
          OR (${within(FACT_STARTED, { start: end, end: moved(end, EARLIEST_MS) })}))),
    visits AS (SELECT 1 AS began, * FROM began UNION ALL SELECT 0, * FROM others),
    pairs AS (
      SELECT coalesce(fact.visitor_id, seen.visitor_id) AS visitor, coalesce(fact.visit_id, seen.visit_id) AS visit, seen.ts,
             coalesce(fact.began, 0) AS began, (coalesce(fact.pageviews, 0) > 0)::int AS viewed,
             coalesce(${BOUNCED}, false)::int AS bounced, coalesce(fact.traffic, 0) AS traffic,
             coalesce(fact.duration_ms, 0) AS duration, coalesce(fact.referrer, seen.referrer) AS referrer,
             coalesce(fact.campaign, seen.campaign, 0) AS campaign, coalesce(fact.place, seen.place) AS place,
             coalesce(fact.agent, seen.agent) AS agent, coalesce(fact.entry_page, 0) AS entry_page,
             coalesce(fact.exit_page, 0) AS exit_page, coalesce(seen.type, 0) AS type, coalesce(seen.own, false)::int AS own,
             CASE WHEN seen.own THEN seen.traffic ELSE coalesce(seen.ts >= ${end}, false)::int END AS class, coalesce(seen.page, 0) AS page, coalesce(seen.name, 0) AS name,
             coalesce(seen.engagement_ms, 0) AS engagement, coalesce(seen.scroll + 1, 0) AS scroll
      FROM visits AS fact FULL JOIN seen ON seen.visit_id = fact.visit_id)
    SELECT concat_ws(';', ${Prisma.join(Object.values(LISTS))}) AS lists FROM (
      SELECT *, (visit IS DISTINCT FROM lag(visit) OVER told)::int AS first,
             (visitor IS NULL OR visitor IS DISTINCT FROM lag(visitor) OVER told)::int AS newcomer, (visitor IS NULL)::int AS visitless
      FROM pairs WINDOW told AS (ORDER BY visitor, visit, ts, page, name) ORDER BY visitor, visit, ts, page, name) AS one`;
  const lists = row?.lists.split(";") ?? [];
  return Object.fromEntries(Object.keys(LISTS).map((name, index) => [name, JSON.parse(`[${lists[index]}]`)])) as Rows;
}

async function columnsOf(tx: Db, siteId: number, rows: Rows): Promise<Chunk["columns"]> {
  const visits = placesWhere(rows.first, (first) => first === 1);
  const events = placesWhere(rows.type, (type) => type !== 0);
  const columns = {
    ...taken(rows, visits, ["duration", "referrer", "campaign", "place", "agent", "entry_page", "exit_page"]),
    ...taken(rows, events, ["page", "name", "engagement", "scroll"]),
    flags: visits.map((row) => flagsOf(rows, row)),
    hits: hitsOf(visits, events),
    kind: events.map((row) => kindOf(rows, row)),
  };
  const [referrers, campaigns, places, agents, pages, names] = [
    numbered([columns.referrer]),
    numbered([columns.campaign]),
    numbered([columns.place]),
    numbered([columns.agent]),
    numbered([columns.entry_page, columns.exit_page, columns.page]),
    numbered([columns.name]),
  ];
  return {
    ...columns,
    referrers: await withWords(tx, siteId, "referrers", referrers),
    campaigns: await withWords(tx, siteId, "campaigns", campaigns),
    places: await withWords(tx, siteId, "places", places),
    agents: await withWords(tx, siteId, "agents", agents),
    pages: await withWords(tx, siteId, "pages", pages),
    names: await withWords(tx, siteId, "names", names),
  };
}

function placesWhere(list: readonly number[], holds: (value: number) => boolean): Int32Array {
  const places = new Int32Array(list.length);
  let count = 0;
  for (const [place, value] of list.entries()) if (holds(value)) places[count++] = place;
  return places.slice(0, count);
}

const taken = <Name extends keyof Rows>(rows: Rows, places: Int32Array, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, places.map((row) => rows[name][row] as number)])) as Record<
    Name,
    Int32Array
  >;

const flagsOf = (rows: Rows, row: number): number =>
  (rows.newcomer[row] ? FLAGS.newcomer : 0) |
  (rows.began[row] ? FLAGS.began : 0) |
  (rows.viewed[row] ? FLAGS.viewed : 0) |
  (rows.bounced[row] ? FLAGS.bounced : 0) |
  (rows.visitless[row] ? FLAGS.visitless : 0) |
  ((rows.traffic[row] as number) << VISIT_TRAFFIC_SHIFT);

const kindOf = (rows: Rows, row: number): number =>
  (rows.type[row] as number) | (rows.own[row] ? OWN : 0) | ((rows.class[row] as number) << EVENT_TRAFFIC_SHIFT);

/** How many of the rows with an event are each visit's. */
function hitsOf(visits: Int32Array, events: Int32Array): Int32Array {
  let event = 0;
  return visits.map((_, visit) => {
    const next = visits[visit + 1] ?? Number.POSITIVE_INFINITY;
    const before = event;
    while (event < events.length && (events[event] as number) < next) event++;
    return event - before;
  });
}

/** Makes ids places in a list of them, the frequent first; 0 stays 0. @returns the list. */
function numbered(columns: readonly Int32Array[]): number[] {
  const times = new Map<number, number>([[0, Number.POSITIVE_INFINITY]]);
  for (const column of columns) for (const id of column) times.set(id, (times.get(id) ?? 0) + 1);
  const known = [...times].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([id]) => id);
  const places = new Map(known.map((id, place) => [id, place]));
  for (const column of columns) for (const [at, id] of column.entries()) column[at] = places.get(id) ?? 0;
  return known;
}

/** A dictionary of these ids: rows of each with the first ids of its words. */
async function withWords(
  tx: Db,
  siteId: number,
  dictionary: Dictionary,
  known: readonly number[],
): Promise<Int32Array> {
  const keys: readonly DimensionKey[] = DICTIONARIES[dictionary];
  const width = widthOf(dictionary);
  const rows = new Int32Array(known.length * width);
  if (known.length === 1) return rows;
  const places = new Map(known.map((id, place) => [id, place]));
  for (const [place, id] of known.entries()) rows[place * width] = id;
  for (const [word, key] of keys.entries()) {
    const words = wordsOf(key, siteId);
    const found = await tx.$queryRaw<{ ids: number[] | null; firsts: number[] | null }[]>`
      SELECT array_agg(words.id) AS ids, array_agg(firsts.first) AS firsts FROM ${words} AS words(id, word)
      JOIN (SELECT word, min(id) AS first FROM ${words} AS words(id, word) WHERE word <> '' GROUP BY word) AS firsts USING (word)
      WHERE words.id = ANY(${known}::int[])`;
    const [{ ids, firsts } = { ids: null, firsts: null }] = found;
    for (const [at, id] of (ids ?? []).entries()) rows[(places.get(id) ?? 0) * width + word + 1] = firsts?.[at] ?? 0;
  }
  return rows;
}
