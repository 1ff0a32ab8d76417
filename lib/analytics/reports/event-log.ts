import { createHash } from "node:crypto";
import { z } from "zod";
import { dayStarts } from "@/lib/analytics/buckets";
import { LONGEST_WRITE_MS } from "@/lib/analytics/engine/ledger";
import { isBefore, snapshotParts } from "@/lib/analytics/engine/snapshot";
import { empty, join, type Sql, sql } from "@/lib/analytics/engine/sql";
import { days } from "@/lib/analytics/period";
import { ofTypes } from "@/lib/analytics/query/dimension-sql";
import { eventsIn, query, type Scope } from "@/lib/analytics/query/scope";
import { invalidInput } from "@/lib/contract/errors";
import { EVENT_TYPES, type EventType } from "@/lib/contract/vocabulary";
import { reports } from "@/lib/db";
import { seal, unseal } from "@/lib/secrets";
import { localDay } from "@/lib/time";

/** The events of a site one by one, as they become visible. */

/** What somebody or something did. Reports of a page (engagement, vitals) are none of it. */
const { engagement: _, vitals: __, ...LISTED } = EVENT_TYPES;
export type ListedType = Exclude<EventType, "engagement" | "vitals">;
export const LISTED_TYPES = Object.keys(LISTED) as [ListedType, ...ListedType[]];
const NAMES = new Map<number, ListedType>(LISTED_TYPES.map((type) => [LISTED[type], type]));

/** Events in an answer that goes on from a cursor, and in a first one. */
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

/** Events, where to go on after them, and whether more of them wait already. */
interface Listed {
  rows: LoggedEvent[];
  next: Cursor;
  truncated: boolean;
}

/** The newest events of a scope, oldest first, and where to go on after them. */
export async function latest(scope: Scope, now: Date): Promise<Listed> {
  const newest = sql`SELECT fact.* FROM event AS fact WHERE ${listedIn(scope)} ORDER BY fact.ts DESC LIMIT ${FIRST_EVENTS}`;
  const { snapshot, rows } = await read(scope, newest);
  return { rows, next: { seen: snapshot, at: now.getTime(), within: null }, truncated: false };
}

/**
 * The events that have become visible since a cursor, by their time of arrival, and where to go on after them. `next`
 * names a place within this answer's snapshots when there are more events than one answer holds.
 *
 * @throws Refusal `invalid_input` for a cursor of a database that is not this one.
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
  // The copy of another machine may be a moment older than the one that the cursor is of: it has not all of the page.
  if (isAhead && within) return { rows: [], next: cursor, truncated: true };
  const rows = found.slice(0, MOST_EVENTS);
  const end = within
    ? { next: within.next, nextAt: within.nextAt }
    : { next: isAhead ? seen : snapshot, nextAt: isAhead ? at : now.getTime() };
  const truncated = found.length > MOST_EVENTS;
  // Events that arrived while a page was read stay for the answer after it: the page's snapshots are its own.
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

/** Tells events of one moment apart by what never changes of them; those it cannot tell apart are all alike. */
const UNCHANGING = sql`fact.visit_id, fact.type, fact.name, fact.page, fact.revenue, fact.props`;

/** The events, oldest first, and what the copy that they were read from has seen of Postgres. */
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

/** Whether Postgres has not come as far as a snapshot: it was restored from a backup since. */
async function isForeign(snapshot: string): Promise<boolean> {
  const [row] = await reports().$queryRaw<{ now: string }[]>`SELECT pg_current_snapshot()::text AS now`;
  return row === undefined || isBefore(row.now, snapshot);
}

/** An event as a report lists it. A visit's short name tells its events from others'; nothing leads from it to a person. */
export function listedEvent(siteId: number, { moment, visit, type, ...words }: LoggedEvent) {
  const name = visit && createHash("sha256").update(`${siteId}|${visit}`).digest("base64url").slice(0, 8);
  return { time: new Date(moment).toISOString(), type: NAMES.get(type) ?? "event", ...words, visit: name };
}

/**
 * Where a reader of a site's events stands. Events become visible in the order in which their transactions commit, which
 * is no order of any column; so a cursor is what Postgres itself knows of it: the snapshot (`pg_current_snapshot`) that
 * the last answer was read from. New is what that snapshot did not see and the present one does: that way no event can be
 * skipped and none repeated, however long its transaction took.
 */
export interface Cursor {
  /** The snapshot whose events have all been returned. */
  seen: string;
  /** When that was, in epoch milliseconds: an event that it did not see came at most `LONGEST_WRITE_MS` before. */
  at: number;
  /** An answer that did not hold all events goes on within the same two snapshots, after this many of one moment. */
  within: { next: string; nextAt: number; ts: string; returned: number } | null;
}

/** Who comes back later than this starts again. */
const LONGEST_AWAY_MS = 24 * 3600_000;
const LONGEST_CURSOR = 20_000;

const shape = z.tuple([z.string(), z.number(), z.tuple([z.string(), z.number(), z.string(), z.number()]).nullable()]);

const placeOf = (siteId: number) => `cursor:${siteId}`;

/** A cursor as text that only this site's reports can read. */
export function writeCursor(siteId: number, { seen, at, within }: Cursor): string {
  const plain = [seen, at, within && [within.next, within.nextAt, within.ts, within.returned]];
  return seal(Buffer.from(JSON.stringify(plain)), placeOf(siteId)).toString("base64url");
}

/** @throws Refusal `invalid_input` for text that is none of this site's cursors, and for one of more than a day ago. */
export function readCursor(siteId: number, text: string, now: Date): Cursor {
  const cursor = opened(siteId, text);
  if (!cursor) throw unusable("is not a cursor of this site");
  if (now.getTime() - (cursor.within?.nextAt ?? cursor.at) > LONGEST_AWAY_MS) throw unusable("is more than a day old");
  return cursor;
}

export const unusable = (why: string) =>
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
