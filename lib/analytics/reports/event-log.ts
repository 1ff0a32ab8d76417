import { createHash } from "node:crypto";
import { z } from "zod";
import { dayStarts } from "@/lib/analytics/calendar/buckets";
import { days } from "@/lib/analytics/calendar/period";
import { ofTypes } from "@/lib/analytics/query/dimension-sql";
import { eventsIn, queryCopy, type Scope } from "@/lib/analytics/query/scope";
import { EVENT_TYPES, type EventType } from "@/lib/contract/vocabulary";
import { lastNumberOf } from "@/lib/ingest/store/sequence";
import { DAY_MS } from "@/lib/platform/durations";
import { invalidInput } from "@/lib/platform/errors";
import { seal, unseal } from "@/lib/platform/secrets";
import { type Sql, sql } from "@/lib/platform/sql";
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
  seq: number;
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
  const { last, rows } = await read(scope, newest, sql`fact.ts, fact.seq`);
  return { rows, next: { seq: last, at: now.getTime() }, truncated: false };
}

/**
 * The events after a cursor in the order of their numbers, and the cursor after them. An event that happened more than
 * `LONGEST_LATE_MS` ago, such as one of an import, is not listed.
 *
 * @throws Refusal `invalid_input` for a cursor of another database.
 */
export async function since(scope: Scope, cursor: Cursor, now: Date): Promise<Listed> {
  const from = new Date(now.getTime() - LONGEST_LATE_MS);
  const today = localDay(now, scope.range.timezone);
  const range = {
    ...days(localDay(from, scope.range.timezone), today.add({ days: 1 }), scope.range.timezone, now),
    start: from,
  };
  const open: Scope = { ...scope, range, days: dayStarts(range) };
  const { last, rows: found } = await read(
    scope,
    sql`SELECT fact.* FROM event AS fact WHERE ${listedIn(open)} AND fact.seq > ${cursor.seq}
        ORDER BY fact.seq LIMIT ${MOST_EVENTS + 1}`,
    sql`fact.seq`,
  );
  if (last < cursor.seq) {
    // Postgres was restored from a backup since.
    if ((await lastNumberOf(scope.siteId)) < cursor.seq) throw unusable("is of another database than this one");
    // The copy of another server is older than the cursor.
    return { rows: [], next: cursor, truncated: false };
  }
  const rows = found.slice(0, MOST_EVENTS);
  const truncated = found.length > MOST_EVENTS;
  const seq = truncated ? (rows.at(-1)?.seq ?? cursor.seq) : last;
  return { rows, next: { seq, at: now.getTime() }, truncated };
}

const listedIn = (scope: Scope): Sql => sql`${eventsIn(scope)} AND ${ofTypes(Object.values(LISTED))}`;

/** The events, and the number of the last fact in the copy from which they were read. */
async function read(scope: Scope, chosen: Sql, order: Sql): Promise<{ last: number; rows: LoggedEvent[] }> {
  const [[state], rows] = await queryCopy<[{ seq: number }[], LoggedEvent[]]>(
    scope,
    sql`SELECT seq FROM state`,
    sql`SELECT fact.seq, strftime(fact.ts, '%Y-%m-%dT%H:%M:%S.%fZ') AS moment,
          CASE WHEN fact.visitor_id IS NOT NULL THEN fact.visit_id::VARCHAR END AS visit, fact.type,
          nullif(name.name, '') AS name, nullif(page.path, '') AS page, nullif(page.title, '') AS title,
          nullif(place.country, '') AS country, nullif(referrer.source, '') AS source, nullif(agent.device, '') AS device
        FROM (${chosen}) AS fact JOIN name ON name.id = fact.name JOIN page ON page.id = fact.page
        JOIN place ON place.id = fact.place JOIN referrer ON referrer.id = fact.referrer JOIN agent ON agent.id = fact.agent
        ORDER BY ${order}`,
  );
  return { last: state?.seq ?? 0, rows };
}

/** An event as a report lists it. `visit` is a short hash that groups the events of a visit and identifies nobody. */
export function listedEvent(siteId: number, { seq: _, moment, visit, type, ...values }: LoggedEvent) {
  const name = visit && createHash("sha256").update(`${siteId}|${visit}`).digest("base64url").slice(0, 8);
  return { time: new Date(moment).toISOString(), type: NAMES.get(type) ?? "event", ...values, visit: name };
}

/** A position in a site's events: each event has a number, and whoever reads a number can read all smaller ones. */
export interface Cursor {
  /** All events up to this number have been returned. */
  seq: number;
  /** When they were, in epoch milliseconds. */
  at: number;
}

/** Events that are sent later than this are not listed; servers may send events of the last 72 hours. */
const LONGEST_LATE_MS = 72 * 3600_000;
/** An older cursor is refused: events after it may no longer be listed. */
const LONGEST_AWAY_MS = DAY_MS;
const LONGEST_CURSOR = 1_000;

const shape = z.tuple([z.number(), z.number()]);

const placeOf = (siteId: number) => `cursor:${siteId}`;

/** A cursor as sealed text, valid for this site only. */
export const writeCursor = (siteId: number, { seq, at }: Cursor): string =>
  seal(Buffer.from(JSON.stringify([seq, at])), placeOf(siteId)).toString("base64url");

/** @throws Refusal `invalid_input` for text that is not a cursor of this site, and for one older than a day. */
export function readCursor(siteId: number, text: string, now: Date): Cursor {
  const cursor = opened(siteId, text);
  if (!cursor) throw unusable("is not a cursor of this site");
  if (now.getTime() - cursor.at > LONGEST_AWAY_MS) throw unusable("is more than a day old");
  return cursor;
}

const unusable = (why: string) =>
  invalidInput([{ path: "since", message: `${why}; leave it out and go on from the cursor of that answer` }]);

function opened(siteId: number, text: string): Cursor | null {
  if (text.length > LONGEST_CURSOR) return null;
  try {
    const [seq, at] = shape.parse(JSON.parse(unseal(Buffer.from(text, "base64url"), placeOf(siteId)).toString()));
    return { seq, at };
  } catch {
    return null;
  }
}
