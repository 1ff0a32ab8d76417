import { createHash } from "node:crypto";
import { z } from "zod";
import { dayStarts } from "@/lib/analytics/calendar/buckets";
import { days } from "@/lib/analytics/calendar/period";
import { LONGEST_WRITE_MS } from "@/lib/analytics/engine/ledger";
import { isBefore, snapshotParts } from "@/lib/analytics/engine/snapshot";
import { empty, join, type Sql, sql } from "@/lib/analytics/engine/sql";
import { ofTypes } from "@/lib/analytics/query/dimension-sql";
import { eventsIn, query, type Scope } from "@/lib/analytics/query/scope";
import { EVENT_TYPES, type EventType } from "@/lib/contract/vocabulary";
import { reports } from "@/lib/platform/db";
import { invalidInput } from "@/lib/platform/errors";
import { seal, unseal } from "@/lib/platform/secrets";
import { localDay } from "@/lib/platform/time";

/** The events of a site one by one, as they become visible. */

/** Types of events that are listed: all but measurements of a page (engagement, vitals). */
const { engagement: _, vitals: __, ...LISTED } = EVENT_TYPES;
type ListedType = Exclude<EventType, "engagement" | "vitals">;
export const LISTED_TYPES = Object.keys(LISTED) as [ListedType, ...ListedType[]];
const NAMES = new Map<number, ListedType>(LISTED_TYPES.map((type) => [LISTED[type], type]));

/** Events in an answer after a cursor, and in a first one. */
export const MOST_EVENTS = 200;
export const FIRST_EVENTS = 50;

/** An event with its dimension values. */
interface LoggedEvent {
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

/** Events, the cursor after them, and whether there are more already. */
interface Listed {
  rows: LoggedEvent[];
  next: Cursor;
  truncated: boolean;
}

/** The newest events of a scope, oldest first, and the cursor after them. */
export async function latest(scope: Scope, now: Date): Promise<Listed> {
  const newest = sql`SELECT fact.* FROM event AS fact WHERE ${listedIn(scope)} ORDER BY fact.ts DESC LIMIT ${FIRST_EVENTS}`;
  const { snapshot, rows } = await read(scope, newest);
  return { rows, next: { seen: snapshot, at: now.getTime(), within: null }, truncated: false };
}

/**
 * The events that have become visible since a cursor, by their time, and the cursor after them. `next` is a position
 * within this answer's snapshots when there are more events than one answer holds.
 *
 * @throws Refusal `invalid_input` for a cursor of another database.
 */
export async function since(scope: Scope, cursor: Cursor, now: Date): Promise<Listed> {
  const { seen, at, within } = cursor;
  const from = new Date(at - LONGEST_WRITE_MS);
  const today = localDay(now, scope.range.timezone);
  const range = {
    ...days(localDay(from, scope.range.timezone), today.add({ days: 1 }), scope.range.timezone, now),
    start: from,
  };
  const open: Scope = { ...scope, range, days: dayStarts(range) };
  const conditions = [
    listedIn(open),
    sql`NOT ${visibleIn(seen)}`,
    ...(within ? [visibleIn(within.next), sql`fact.ts >= ${within.ts}::TIMESTAMP`] : []),
  ];
  const { snapshot, rows: found } = await read(
    scope,
    sql`SELECT fact.* FROM event AS fact WHERE ${join(conditions, " AND ")}
        ORDER BY fact.ts, ${UNCHANGING} LIMIT ${MOST_EVENTS + 1} ${within ? sql`OFFSET ${within.returned}` : empty}`,
  );
  const newest = within?.next ?? seen;
  const isAhead = isBefore(snapshot, newest);
  if (isAhead && (await isForeign(newest))) throw unusable("is of another database than this one");
  // The copy of another server may be older than that of the cursor: it does not have the whole page yet.
  if (isAhead && within) return { rows: [], next: cursor, truncated: true };
  const rows = found.slice(0, MOST_EVENTS);
  const end = within
    ? { next: within.next, nextAt: within.nextAt }
    : { next: isAhead ? seen : snapshot, nextAt: isAhead ? at : now.getTime() };
  const truncated = found.length > MOST_EVENTS;
  // Events that arrived since the first page come after the last one: all pages share their snapshots.
  const next: Cursor = truncated
    ? { seen, at, within: { ...end, ...placeAfter(rows, within) } }
    : { seen: end.next, at: end.nextAt, within: null };
  return { rows, next, truncated: truncated || within !== null };
}

/** The moment of the last row, and how many rows of that moment have been listed. */
function placeAfter(rows: readonly LoggedEvent[], before: Cursor["within"]): { ts: string; returned: number } {
  const ts = rows.at(-1)?.moment ?? "";
  const listed = rows.filter((row) => row.moment === ts).length;
  return { ts, returned: before?.ts === ts ? before.returned + listed : listed };
}

const listedIn = (scope: Scope): Sql => sql`${eventsIn(scope)} AND ${ofTypes(Object.values(LISTED))}`;

/** SQL for whether a snapshot sees the transaction that wrote an event, as `pg_visible_in_snapshot` does. */
function visibleIn(snapshot: string): Sql {
  const { end, running } = snapshotParts(snapshot);
  return sql`(fact.written < ${end} AND NOT list_contains(${running}::BIGINT[], fact.written))`;
}

/** Orders events of one moment by columns that never change; events that are equal in these are equal in all. */
const UNCHANGING = sql`fact.visit_id, fact.type, fact.name, fact.page, fact.revenue, fact.props`;

/** The events, oldest first, and the snapshot of Postgres in the copy from which they were read. */
async function read(scope: Scope, chosen: Sql): Promise<{ snapshot: string; rows: LoggedEvent[] }> {
  const [[state], rows] = await query<[{ snapshot: string }[], LoggedEvent[]]>(
    scope,
    sql`SELECT snapshot FROM state`,
    sql`SELECT strftime(fact.ts, '%Y-%m-%dT%H:%M:%S.%fZ') AS moment,
          CASE WHEN fact.visitor_id IS NOT NULL THEN fact.visit_id::VARCHAR END AS visit, fact.type,
          nullif(name.name, '') AS name, nullif(page.path, '') AS page, nullif(page.title, '') AS title,
          nullif(place.country, '') AS country, nullif(referrer.source, '') AS source, nullif(agent.device, '') AS device
        FROM (${chosen}) AS fact JOIN name ON name.id = fact.name JOIN page ON page.id = fact.page
        JOIN place ON place.id = fact.place JOIN referrer ON referrer.id = fact.referrer JOIN agent ON agent.id = fact.agent
        ORDER BY fact.ts, ${UNCHANGING}`,
  );
  return { snapshot: state?.snapshot ?? "", rows };
}

/** Whether Postgres has not reached a snapshot yet: it was restored from a backup since. */
async function isForeign(snapshot: string): Promise<boolean> {
  const [row] = await reports().$queryRaw<{ now: string }[]>`SELECT pg_current_snapshot()::text AS now`;
  return row === undefined || isBefore(row.now, snapshot);
}

/** An event as a report lists it. `visit` is a short hash that groups the events of a visit and identifies nobody. */
export function listedEvent(siteId: number, { moment, visit, type, ...values }: LoggedEvent) {
  const name = visit && createHash("sha256").update(`${siteId}|${visit}`).digest("base64url").slice(0, 8);
  return { time: new Date(moment).toISOString(), type: NAMES.get(type) ?? "event", ...values, visit: name };
}

/**
 * A position in a site's events. Events become visible in the order in which their transactions commit, which no column
 * holds; so a cursor is the snapshot of Postgres (`pg_current_snapshot`) of the last answer. New events are those that
 * this snapshot did not see and the current one does: none is skipped or repeated, however long its transaction took.
 */
export interface Cursor {
  /** The snapshot whose events have all been returned. */
  seen: string;
  /** Its time in epoch milliseconds: an event that it did not see is at most `LONGEST_WRITE_MS` older. */
  at: number;
  /** An answer that did not hold all events continues within the same two snapshots, after this many of one moment. */
  within: { next: string; nextAt: number; ts: string; returned: number } | null;
}

/** An older cursor is refused. */
const LONGEST_AWAY_MS = 24 * 3600_000;
const LONGEST_CURSOR = 20_000;

const shape = z.tuple([z.string(), z.number(), z.tuple([z.string(), z.number(), z.string(), z.number()]).nullable()]);

const placeOf = (siteId: number) => `cursor:${siteId}`;

/** A cursor as sealed text, valid for this site only. */
export function writeCursor(siteId: number, { seen, at, within }: Cursor): string {
  const plain = [seen, at, within && [within.next, within.nextAt, within.ts, within.returned]];
  return seal(Buffer.from(JSON.stringify(plain)), placeOf(siteId)).toString("base64url");
}

/** @throws Refusal `invalid_input` for text that is not a cursor of this site, and for one older than a day. */
export function readCursor(siteId: number, text: string, now: Date): Cursor {
  const cursor = opened(siteId, text);
  if (!cursor) throw unusable("is not a cursor of this site");
  if (now.getTime() - (cursor.within?.nextAt ?? cursor.at) > LONGEST_AWAY_MS) throw unusable("is more than a day old");
  return cursor;
}

const unusable = (why: string) =>
  invalidInput([{ path: "since", message: `${why}; leave it out and go on from the cursor of that answer` }]);

function opened(siteId: number, text: string): Cursor | null {
  if (text.length > LONGEST_CURSOR) return null;
  try {
    const plain = unseal(Buffer.from(text, "base64url"), placeOf(siteId));
    const [seen, at, within] = shape.parse(JSON.parse(plain.toString()));
    if (!within) return { seen, at, within };
    const [next, nextAt, ts, returned] = within;
    return { seen, at, within: { next, nextAt, ts, returned } };
  } catch {
    return null;
  }
}
