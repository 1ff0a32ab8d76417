import { Prisma, reports } from "@/lib/db";

/**
 * Reads the events of a site one by one. The order in which their transactions were committed is known to Postgres alone:
 * with it no event is left out and none comes twice. In conditions of callers `fact` is the event.
 */

/** An event with its dimension values. */
export interface LoggedEvent {
  /** When it happened, as exactly as it is stored. */
  moment: string;
  visit: string | null;
  type: number;
  name: string | null;
  page: string | null;
  title: string | null;
  country: string | null;
  source: string | null;
  device: string | null;
}

interface Answer {
  /** The snapshot (`pg_current_snapshot`) that the events were read from. */
  snapshot: string;
  /** The database has not come as far as the newest snapshot that was given: it was restored from a copy. */
  behind: boolean;
  events: LoggedEvent[];
}

/** Which events of a site are read, and how many of them at most. */
interface Selection {
  siteId: number;
  where: Prisma.Sql;
  limit: number;
}

/** A stretch of commits. */
interface Commits {
  /** The snapshot after which it begins. */
  after: string;
  /** The snapshot with which it ends; null: the present one. */
  upTo: string | null;
  /** Skips so many events of this moment and all before it. */
  from: { ts: string; skip: number } | null;
}

/** The newest events, the oldest of them first. */
export function latestEvents({ siteId, where, limit }: Selection): Promise<Answer> {
  const chosen = Prisma.sql`SELECT fact.* FROM facts.event AS fact
    WHERE ${where} ORDER BY fact.ts DESC LIMIT ${limit}`;
  return read(siteId, chosen, Prisma.sql`false`);
}

/** The events that were committed between two snapshots, the oldest first. */
export function committedEvents({ siteId, where, limit }: Selection, { after, upTo, from }: Commits): Promise<Answer> {
  const since = from ? Prisma.sql`AND fact.ts >= ${from.ts}::timestamptz` : Prisma.empty;
  const end = upTo === null ? Prisma.sql`pg_current_snapshot()` : Prisma.sql`${upTo}::text::pg_snapshot`;
  const chosen = Prisma.sql`
    SELECT fact.* FROM facts.event AS fact
    WHERE ${where} ${since}
      AND NOT pg_visible_in_snapshot(${WRITTEN}, ${after}::text::pg_snapshot)
      AND pg_visible_in_snapshot(${WRITTEN}, ${end})
    ORDER BY fact.ts, ${UNCHANGING} LIMIT ${limit} OFFSET ${from?.skip ?? 0}`;
  const newest = upTo ?? after;
  const behind = Prisma.sql`pg_snapshot_xmax(${newest}::text::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot())`;
  return read(siteId, chosen, behind);
}

/** SQL for the transaction that wrote an event: the row's own, unless its class was decided anew since. */
const WRITTEN = Prisma.sql`
  coalesce(fact.written, facts.whole_xid(fact.xmin, (SELECT pg_snapshot_xmax(pg_current_snapshot()))))`;

/** Tells events of one moment apart by what never changes of them; those it cannot tell apart are all alike. */
const UNCHANGING = Prisma.sql`fact.visit_id, fact.type, fact.name, fact.page, fact.revenue, fact.props`;

const WORDS = [Prisma.sql`name`, Prisma.sql`page`, Prisma.sql`place`, Prisma.sql`referrer`, Prisma.sql`agent`];

/** Joins the word of a fact. A few are wanted out of a dictionary that may be large: each is looked up. */
const lookUp = (word: Prisma.Sql, siteId: number): Prisma.Sql => Prisma.sql`
  LEFT JOIN LATERAL (SELECT * FROM facts.${word} AS word WHERE word.site_id = ${siteId} AND word.id = fact.${word} LIMIT 1)
    AS ${word} ON true`;

/** The snapshot and the events of one and the same statement. */
async function read(siteId: number, chosen: Prisma.Sql, behind: Prisma.Sql): Promise<Answer> {
  const [answer] = await reports().$queryRaw<(Omit<Answer, "events"> & { events: LoggedEvent[] | null })[]>`
    SELECT pg_current_snapshot()::text AS snapshot, ${behind} AS behind, (
      SELECT jsonb_agg(jsonb_build_object(
        'moment', fact.ts, 'visit', CASE WHEN fact.visitor_id IS NOT NULL THEN fact.visit_id::text END, 'type', fact.type, 'name', name.name, 'page', page.path,
        'title', page.title, 'country', nullif(place.country, ''), 'source', nullif(referrer.source, ''),
        'device', nullif(agent.device, '')) ORDER BY fact.ts, ${UNCHANGING})
      FROM (${chosen}) AS fact ${Prisma.join(
        WORDS.map((word) => lookUp(word, siteId)),
        " ",
      )}) AS events`;
  if (!answer) throw new Error("Postgres gave no snapshot");
  return { ...answer, events: answer.events ?? [] };
}

interface Span {
  start: Date;
  end: Date;
}

/** SQL for the condition that a moment is within a span. */
export const within = (moment: Prisma.Sql, { start, end }: Span): Prisma.Sql =>
  Prisma.sql`${moment} >= ${start} AND ${moment} < ${end}`;

/** SQL for the condition that an event's visit began within a span and meets a condition, in which `fact` is the visit. */
export const inVisits = (siteId: number, begun: Span, condition: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`fact.visit_id IN (SELECT fact.visit_id FROM facts.visit AS fact
    WHERE fact.site_id = ${siteId} AND ${within(Prisma.sql`fact.started`, begun)} AND ${condition})`;

/**
 * SQL for the condition that the visitor of an event has one that meets a condition on the same local day, within a span.
 *
 * @param days when each local day of the span begins.
 */
export function withEventOnItsDay(
  siteId: number,
  span: Span,
  days: readonly Date[],
  condition: Prisma.Sql,
): Prisma.Sql {
  const bounds = days.map((start) => start.toISOString());
  const day = Prisma.sql`width_bucket(fact.ts, ${bounds}::timestamptz[])`;
  return Prisma.sql`(fact.visitor_id, ${day}) IN (
    SELECT fact.visitor_id, ${day} FROM facts.event AS fact
    WHERE fact.site_id = ${siteId} AND ${within(Prisma.sql`fact.ts`, span)} AND ${condition})`;
}

/** SQL for a dictionary of a site as a table (id, word), of one of its columns. */
export const wordsIn = (siteId: number, dictionary: Prisma.Sql, column: Prisma.Sql): Prisma.Sql => Prisma.sql`
  (SELECT id, coalesce(${column}, '') AS word FROM facts.${dictionary} WHERE site_id = ${siteId})`;

/** The values of a property that events of a site have within a span; at most `limit`. */
export async function propertyValues(siteId: number, name: string, span: Span, limit: number): Promise<string[]> {
  const [row] = await reports().$queryRaw<{ found: string[] | null }[]>`
    SELECT json_agg(value) AS found FROM (
      SELECT DISTINCT fact.props ->> ${name} AS value FROM facts.event AS fact
      WHERE fact.site_id = ${siteId} AND ${within(Prisma.sql`fact.ts`, span)} AND fact.props ->> ${name} <> ''
      LIMIT ${limit}) AS seen`;
  return row?.found ?? [];
}
