import type { Prisma } from "@/lib/platform/db";
import { localDay, Temporal, zoned } from "@/lib/platform/time";

/** The days an email report covers, and when it is sent, in the site's timezone. */

export type Cadence = Prisma.ReportSubscriptionGetPayload<object>["cadence"];

/** Local hour at which reports are sent, on Mondays and on the first of a month. */
const SEND_HOUR = 7;

export interface Period {
  from: Temporal.PlainDate;
  /** Inclusive. */
  to: Temporal.PlainDate;
}

const firstDay = (day: Temporal.PlainDate, cadence: Cadence): Temporal.PlainDate =>
  cadence === "weekly" ? day.subtract({ days: day.dayOfWeek - 1 }) : day.with({ day: 1 });
const duration = (cadence: Cadence) => (cadence === "weekly" ? { weeks: 1 } : { months: 1 });

/** Returns the last full week (Monday to Sunday) or month. */
export function lastPeriod(cadence: Cadence, timezone: string, now: Date): Period {
  const next = firstDay(localDay(now, timezone), cadence);
  return { from: next.subtract(duration(cadence)), to: next.subtract({ days: 1 }) };
}

const sendTime = (day: Temporal.PlainDate, timezone: string): Date =>
  new Date(day.toZonedDateTime({ timeZone: timezone, plainTime: new Temporal.PlainTime(SEND_HOUR) }).epochMilliseconds);

/** Returns when the next report is sent: 07:00 on the next Monday or first of a month after `now`. */
export function nextTime(cadence: Cadence, timezone: string, now: Date): Date {
  const first = firstDay(zoned(now, timezone).toPlainDate(), cadence);
  const time = sendTime(first, timezone);
  return time > now ? time : sendTime(first.add(duration(cadence)), timezone);
}

/**
 * Returns when a report is sent that was due at `nextAt` in another timezone: on the same local day, so that none is
 * left out or sent twice. It may have passed there already.
 */
export const movedTime = (cadence: Cadence, nextAt: Date, from: string, to: string): Date =>
  sendTime(firstDay(localDay(nextAt, from), cadence), to);
