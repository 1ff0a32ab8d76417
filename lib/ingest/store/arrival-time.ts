import { processWide } from "@/lib/platform/process-wide";

/**
 * Arrival times of events. Every report orders events by this one number, so no two events that a process receives
 * share it and a later event always has a larger one. See docs/adr/0001-event-order.md.
 */

/**
 * A clock set back by more than this was wrong before. After a smaller step back, arrival time stands still until the
 * clock catches up.
 */
const CORRECTION_MS = 60_000;

export class ArrivalClock {
  private clock = 0;
  private reservedAt = 0;
  private next = 0;

  /** Returns the arrival time of a request. Never runs backwards, unless the clock was corrected. */
  arrivalTime(now: number): Date {
    if (now > this.clock || this.clock - now > CORRECTION_MS) this.clock = now;
    return new Date(this.clock);
  }

  /**
   * Reserves timestamps for the events of a request, one microsecond apart, in the order of their indexes.
   *
   * @param now when the request arrived.
   * @returns the first of `count` consecutive timestamps in epoch microseconds.
   */
  reserveTimestamps(now: Date, count: number): number {
    const ms = now.getTime();
    // Timestamps reserved beyond this millisecond are skipped only while time moves on.
    const first = ms < this.reservedAt ? ms * 1000 : Math.max(ms * 1000, this.next);
    this.reservedAt = ms;
    this.next = first + count;
    return first;
  }
}

export const arrivalClock = processWide("arrival-time", () => new ArrivalClock());

export const arrivalTime = (now = Date.now()): Date => arrivalClock.arrivalTime(now);
export const reserveTimestamps = (now: Date, count: number): number => arrivalClock.reserveTimestamps(now, count);

/** Returns a timestamp in epoch milliseconds, rounded down. */
export const millisecondOf = (timestamp: number): number => Math.floor(timestamp / 1000);

/** Formats a timestamp as ISO 8601 with microseconds, for Postgres. */
export function isoTimestamp(timestamp: number): string {
  const seconds = new Date(millisecondOf(timestamp)).toISOString().slice(0, -1);
  return `${seconds}${`${timestamp % 1000}`.padStart(3, "0")}Z`;
}
