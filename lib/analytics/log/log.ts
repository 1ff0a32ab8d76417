import { createHash } from "node:crypto";
import { dayStarts } from "@/lib/analytics/buckets";
import { eventsIn, type LogScope } from "@/lib/analytics/log/conditions";
import { type Cursor, LONGEST_WRITE_MS, unusable } from "@/lib/analytics/log/cursor";
import { days } from "@/lib/analytics/period";
import { EVENT_TYPES, type EventType } from "@/lib/contract/vocabulary";
import { Prisma, reports } from "@/lib/db";
import { localDay } from "@/lib/time";

/** The events of a site one by one, as they become visible. */

/** What is told: what somebody or something did. Reports of a page (engagement, vitals) are none of it. */
const { engagement: _, vitals: __, ...TOLD } = EVENT_TYPES;
export type ToldType = Exclude<EventType, "engagement" | "vitals">;
export const TOLD_TYPES = Object.keys(TOLD) as [ToldType, ...ToldType[]];
const NAMES = new Map<number, ToldType>(TOLD_TYPES.map((type) => [TOLD[type], type]));

/** Events in an answer that goes on from a cursor, and in a first one. */
export const MOST_EVENTS = 200;
export const FIRST_EVENTS = 50;

interface Row {
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

interface Snapshot {
  snapshot: string;
  /** The database has not come as far as the cursor: it was restored from a copy. */
  behind: boolean;
  rows: Row[] | null;
}

/** Events, where to go on after them, and whether more of them wait already. */
interface Told {
  rows: Row[];
  next: Cursor;
  truncated: boolean;
}

/** The newest events of a scope, oldest first, and where to go on after them. */
export async function latest(scope: LogScope, now: Date): Promise<Told> {
  const chosen = Prisma.sql`SELECT fact.* FROM facts.event AS fact
    WHERE ${eventsIn(scope)} AND ${isTold} ORDER BY fact.ts DESC LIMIT ${FIRST_EVENTS}`;
  const { snapshot, rows } = await read(scope.siteId, chosen, Prisma.sql`false`);
  return { rows, next: { seen: snapshot, at: now.getTime(), within: null }, truncated: false };
}

/**
 * The events that have become visible since a cursor, by their time of arrival, and where to go on after them. `next`
 * names a place within this answer's snapshots when there are more events than one answer holds.
 *
 * @throws Refusal `invalid_input` for a cursor of a database that is not this one.
 */
export async function since(scope: LogScope, cursor: Cursor, now: Date): Promise<Told> {
  const { seen, at, within } = cursor;
  const from = new Date(at - LONGEST_WRITE_MS);
  const today = localDay(now, scope.range.timezone);
  const range = days(localDay(from, scope.range.timezone), today.add({ days: 1 }), scope.range.timezone, now);
  const open: LogScope = { ...scope, range: { ...range, start: from }, days: dayStarts({ ...range, start: from }) };
  // The bound of a page is a moment of the facts; the bound of the range stays, for conditions on whole visits.
  const after = within ? Prisma.sql`AND fact.ts >= ${within.ts}::timestamptz` : Prisma.empty;
  const upTo = within ? Prisma.sql`${within.next}::text::pg_snapshot` : Prisma.sql`pg_current_snapshot()`;
  const chosen = Prisma.sql`
    SELECT fact.* FROM facts.event AS fact
    WHERE ${eventsIn(open)} AND ${isTold} ${after}
      AND NOT pg_visible_in_snapshot(${WRITTEN}, ${seen}::text::pg_snapshot)
      AND pg_visible_in_snapshot(${WRITTEN}, ${upTo})
    ORDER BY fact.ts, ${UNCHANGING} LIMIT ${MOST_EVENTS + 1} OFFSET ${within?.told ?? 0}`;
  const newest = within?.next ?? seen;
  const behind = Prisma.sql`pg_snapshot_xmax(${newest}::text::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot())`;
  const answer = await read(scope.siteId, chosen, behind);
  if (answer.behind) throw unusable("is of another database than this one");
  const rows = answer.rows.slice(0, MOST_EVENTS);
  const end = within ? { next: within.next, nextAt: within.nextAt } : { next: answer.snapshot, nextAt: now.getTime() };
  const truncated = answer.rows.length > MOST_EVENTS;
  // Events that arrived while a page was read stay for the answer after it: the page's snapshots are its own.
  const next: Cursor = truncated
    ? { seen, at, within: { ...end, ...placeAfter(rows, within) } }
    : { seen: end.next, at: end.nextAt, within: null };
  return { rows, next, truncated: truncated || within !== null };
}

/** The moment of the last row, and how many of that moment have been told. */
function placeAfter(rows: readonly Row[], before: Cursor["within"]): { ts: string; told: number } {
  const ts = rows.at(-1)?.moment ?? "";
  const told = rows.filter((row) => row.moment === ts).length;
  return { ts, told: before?.ts === ts ? before.told + told : told };
}

/** SQL for the transaction that wrote an event: the row's own, unless its class was decided anew since. */
const WRITTEN = Prisma.sql`
  coalesce(fact.written, facts.whole_xid(fact.xmin, (SELECT pg_snapshot_xmax(pg_current_snapshot()))))`;

const isTold = Prisma.sql`fact.type = ANY(${Object.values(TOLD)}::smallint[])`;
/** Tells events of one moment apart by what never changes of them; those it cannot tell apart are all alike. */
const UNCHANGING = Prisma.sql`fact.visit_id, fact.type, fact.name, fact.page, fact.revenue, fact.props`;

const WORDS = [Prisma.sql`name`, Prisma.sql`page`, Prisma.sql`place`, Prisma.sql`referrer`, Prisma.sql`agent`];

/** Joins the word of a fact. A few are wanted out of a dictionary that may be large: each is looked up. */
const lookUp = (word: Prisma.Sql, siteId: number): Prisma.Sql => Prisma.sql`
  LEFT JOIN LATERAL (SELECT * FROM facts.${word} AS word WHERE word.site_id = ${siteId} AND word.id = fact.${word} LIMIT 1)
    AS ${word} ON true`;

/** The snapshot and the rows of one and the same statement, with their words. */
async function read(siteId: number, chosen: Prisma.Sql, behind: Prisma.Sql) {
  const [answer] = await reports().$queryRaw<Snapshot[]>`
    SELECT pg_current_snapshot()::text AS snapshot, ${behind} AS behind, (
      SELECT jsonb_agg(jsonb_build_object(
        'moment', fact.ts, 'visit', CASE WHEN fact.visitor_id IS NOT NULL THEN fact.visit_id::text END, 'type', fact.type, 'name', name.name, 'page', page.path,
        'title', page.title, 'country', nullif(place.country, ''), 'source', nullif(referrer.source, ''),
        'device', nullif(agent.device, '')) ORDER BY fact.ts, ${UNCHANGING})
      FROM (${chosen}) AS fact ${Prisma.join(
        WORDS.map((word) => lookUp(word, siteId)),
        " ",
      )}) AS rows`;
  if (!answer) throw new Error("Postgres gave no snapshot");
  return { snapshot: answer.snapshot, behind: answer.behind, rows: answer.rows ?? [] };
}

/** An event as a report tells it. A visit's short name tells its events from others'; nothing leads from it to a person. */
export function toldEvent(siteId: number, { moment, visit, type, ...words }: Row) {
  const name = visit && createHash("sha256").update(`${siteId}|${visit}`).digest("base64url").slice(0, 8);
  return { time: new Date(moment).toISOString(), type: NAMES.get(type) ?? "event", ...words, visit: name };
}
