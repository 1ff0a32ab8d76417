import type { Prisma } from "@/lib/platform/db";
import { localDay, Temporal, zoned } from "@/lib/platform/time";

/** Which days a report by mail is about, and when it leaves: on the site's own clock. */

export type Cadence = Prisma.ReportSubscriptionGetPayload<object>["cadence"];

/** The hour of the site's morning at which reports leave, of Mondays and of the first of a month. */
const HOUR = 7;

export interface Period {
  from: Temporal.PlainDate;
  /** Inclusive. */
  to: Temporal.PlainDate;
}

const firstDay = (day: Temporal.PlainDate, cadence: Cadence): Temporal.PlainDate =>
  cadence === "weekly" ? day.subtract({ days: day.dayOfWeek - 1 }) : day.with({ day: 1 });
const one = (cadence: Cadence) => (cadence === "weekly" ? { weeks: 1 } : { months: 1 });

/** The last full week, Monday to Sunday, or month. */
export function lastPeriod(cadence: Cadence, timezone: string, now: Date): Period {
  const next = firstDay(localDay(now, timezone), cadence);
  return { from: next.subtract(one(cadence)), to: next.subtract({ days: 1 }) };
}

/** When the next report leaves: at seven on the Monday or first that comes next, later than this moment. */
export function nextTime(cadence: Cadence, timezone: string, now: Date): Date {
  const at = (day: Temporal.PlainDate) =>
    new Date(day.toZonedDateTime({ timeZone: timezone, plainTime: new Temporal.PlainTime(HOUR) }).epochMilliseconds);
  const first = firstDay(zoned(now, timezone).toPlainDate(), cadence);
  return at(first) > now ? at(first) : at(first.add(one(cadence)));
}
