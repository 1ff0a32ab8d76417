import { createHash } from "node:crypto";
import { dayStarts } from "@/lib/analytics/buckets";
import { eventsIn, type LogScope } from "@/lib/analytics/log/conditions";
import { type Cursor, LONGEST_WRITE_MS, unusable } from "@/lib/analytics/log/cursor";
import { days } from "@/lib/analytics/period";
import { EVENT_TYPES, type EventType } from "@/lib/contract/vocabulary";
import { Prisma } from "@/lib/db";
import { committedEvents, type LoggedEvent, latestEvents } from "@/lib/ingest/store/event-log";
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

/** Events, where to go on after them, and whether more of them wait already. */
interface Told {
  rows: LoggedEvent[];
  next: Cursor;
  truncated: boolean;
}

/** The newest events of a scope, oldest first, and where to go on after them. */
export async function latest(scope: LogScope, now: Date): Promise<Told> {
  const { siteId } = scope;
  const { snapshot, events: rows } = await latestEvents({ siteId, where: toldIn(scope), limit: FIRST_EVENTS });
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
  const answer = await committedEvents(
    { siteId: scope.siteId, where: toldIn(open), limit: MOST_EVENTS + 1 },
    { after: seen, upTo: within?.next ?? null, from: within && { ts: within.ts, skip: within.told } },
  );
  if (answer.behind) throw unusable("is of another database than this one");
  const rows = answer.events.slice(0, MOST_EVENTS);
  const end = within ? { next: within.next, nextAt: within.nextAt } : { next: answer.snapshot, nextAt: now.getTime() };
  const truncated = answer.events.length > MOST_EVENTS;
  // Events that arrived while a page was read stay for the answer after it: the page's snapshots are its own.
  const next: Cursor = truncated
    ? { seen, at, within: { ...end, ...placeAfter(rows, within) } }
    : { seen: end.next, at: end.nextAt, within: null };
  return { rows, next, truncated: truncated || within !== null };
}

/** The moment of the last row, and how many of that moment have been told. */
function placeAfter(rows: readonly LoggedEvent[], before: Cursor["within"]): { ts: string; told: number } {
  const ts = rows.at(-1)?.moment ?? "";
  const told = rows.filter((row) => row.moment === ts).length;
  return { ts, told: before?.ts === ts ? before.told + told : told };
}

const toldIn = (scope: LogScope): Prisma.Sql =>
  Prisma.sql`${eventsIn(scope)} AND fact.type = ANY(${Object.values(TOLD)}::smallint[])`;

/** An event as a report tells it. A visit's short name tells its events from others'; nothing leads from it to a person. */
export function toldEvent(siteId: number, { moment, visit, type, ...words }: LoggedEvent) {
  const name = visit && createHash("sha256").update(`${siteId}|${visit}`).digest("base64url").slice(0, 8);
  return { time: new Date(moment).toISOString(), type: NAMES.get(type) ?? "event", ...words, visit: name };
}
