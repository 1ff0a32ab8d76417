import { createHash } from "node:crypto";
import { z } from "zod";

/** The time that a sender gives for an event that it delivers later, such as a queue or an app that was offline. */

/** An older event is stored at its arrival. */
const MAX_EVENT_AGE_MS = 72 * 3600_000;

const TIME = "must be a time such as 2026-11-27T09:30:00Z, or a number of seconds since 1970";
/** RFC 3339 with an offset, or Unix time in seconds or milliseconds. */
export const sentTime = z
  .union([z.iso.datetime({ offset: true, error: TIME }), z.number(TIME).min(0, TIME).max(8.64e15, TIME)], TIME)
  .meta({ description: `When the event happened, if it is sent later: within ${MAX_EVENT_AGE_MS / 3600_000} hours` });

/** Larger numbers are milliseconds: as seconds they would be after the year 5000. */
const MAX_SECONDS = 1e11;

/** Returns a valid `sentTime` in epoch microseconds. The digits after the milliseconds are 0 unless the sender gave them. */
export function microsecondsOf(time: string | number): number {
  if (typeof time === "number") return Math.round(time < MAX_SECONDS ? time * 1e6 : time * 1e3);
  const micros = /\.\d{3}(\d{1,3})/.exec(time)?.[1] ?? "";
  return Date.parse(time) * 1000 + Number(micros.padEnd(3, "0"));
}

/** Where an event stands among all events: at its sender's time, or at its arrival. */
export interface EventTime {
  /** Epoch microseconds. */
  timestamp: number;
  isTimed: boolean;
  /** Why the sender's time is not used, as the predicate of a sentence about it. */
  warning: string | null;
}

interface Timed {
  /** Epoch microseconds; null without a time. */
  at: number | null;
  /** What tells the event from others of the same millisecond, whenever it arrives. */
  content: string;
}

/**
 * Returns the times of the events of one request.
 *
 * Two events that their sender dates to the same millisecond get microseconds from what they are, so that their order does
 * not depend on the order of arrival; those of one request keep the order that they have in it.
 *
 * @param first the reserved timestamp of the event with index 0.
 */
export function timesOf(events: readonly Timed[], first: number, now: Date): EventTime[] {
  const times = events.map(({ at }, index) => timeOf(at, first + index, now));
  const sameMs = new Map<number, number[]>();
  for (const [index, { isTimed, timestamp }] of times.entries())
    if (isTimed && timestamp % 1000 === 0) sameMs.set(timestamp, [...(sameMs.get(timestamp) ?? []), index]);
  for (const [timestamp, indexes] of sameMs) {
    const micros = indexes.map((index) => microsOf(events[index]?.content ?? "")).sort((a, b) => a - b);
    let next = 0;
    for (const [place, index] of indexes.entries()) {
      const time = times[index] as EventTime;
      // No two share a microsecond, and those that follow have one left.
      const micro = Math.max(next, Math.min(micros[place] as number, 1000 - indexes.length + place));
      next = micro + 1;
      time.timestamp = timestamp + Math.min(999, micro);
    }
  }
  return times;
}

function timeOf(at: number | null, arrival: number, now: Date): EventTime {
  if (at === null) return { timestamp: arrival, isTimed: false, warning: null };
  const age = now.getTime() - Math.floor(at / 1000);
  if (age >= 0 && age <= MAX_EVENT_AGE_MS) return { timestamp: at, isTimed: true, warning: null };
  const fault = age < 0 ? "is in the future" : `is more than ${MAX_EVENT_AGE_MS / 3600_000} hours ago`;
  return { timestamp: arrival, isTimed: false, warning: `${fault}; the event counts at its arrival` };
}

const microsOf = (content: string): number => createHash("sha256").update(content).digest().readUInt32BE(0) % 1000;
