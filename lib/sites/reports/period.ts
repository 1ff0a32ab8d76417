import type { Prisma } from "@/lib/platform/db";
import { localDay, Temporal } from "@/lib/platform/time";
import { msg } from "@/lib/texts/translate";

/** The days an email report covers, in the site's timezone, and when it is sent, in the timezone of its schedule. */

export type Cadence = Prisma.ReportSubscriptionGetPayload<object>["cadence"];

/** Each cadence with the periods that it compares. */
export const CADENCES = {
  daily: { label: msg("Daily"), period: "day", before: "the same day of the previous week" },
  weekly: { label: msg("Weekly"), period: "week", before: "the previous week" },
  monthly: { label: msg("Monthly"), period: "month", before: "the previous month" },
} as const satisfies Record<Cadence, object>;

export interface Schedule {
  /** The day of a weekly report: 1 is Monday. */
  weekday: number;
  /** The day of a monthly report, 1 to 28. */
  monthDay: number;
  hour: number;
  /** Null: that of the site. */
  timezone: string | null;
}

/** Monday and the first of a month at 7:00, in the timezone of the site. */
export const USUAL_SCHEDULE: Schedule = { weekday: 1, monthDay: 1, hour: 7, timezone: null };

export interface Period {
  from: Temporal.PlainDate;
  /** Inclusive. */
  to: Temporal.PlainDate;
}

/** Returns the last day, not after `day`, on which a report is sent. */
function sendDay(cadence: Cadence, { weekday, monthDay }: Schedule, day: Temporal.PlainDate): Temporal.PlainDate {
  if (cadence === "daily") return day;
  if (cadence === "weekly") return day.subtract({ days: (day.dayOfWeek - weekday + 7) % 7 });
  const inMonth = day.with({ day: monthDay });
  return Temporal.PlainDate.compare(inMonth, day) <= 0 ? inMonth : inMonth.subtract({ months: 1 });
}

const nextDay = (cadence: Cadence, day: Temporal.PlainDate): Temporal.PlainDate =>
  day.add(cadence === "daily" ? { days: 1 } : cadence === "weekly" ? { weeks: 1 } : { months: 1 });

const sendTime = (day: Temporal.PlainDate, { hour, timezone }: Schedule, siteZone: string): Date =>
  new Date(
    day.toZonedDateTime({
      timeZone: timezone ?? siteZone,
      plainTime: new Temporal.PlainTime(hour),
    }).epochMilliseconds,
  );

/** Returns when the report before `nextTime` was due: at `now` or earlier. */
function lastTime(cadence: Cadence, schedule: Schedule, siteZone: string, now: Date): Date {
  const today = localDay(now, schedule.timezone ?? siteZone);
  const due = sendTime(sendDay(cadence, schedule, today), schedule, siteZone);
  return due <= now ? due : sendTime(sendDay(cadence, schedule, today.subtract({ days: 1 })), schedule, siteZone);
}

/** Returns when the next report is sent, after `now`. */
export function nextTime(cadence: Cadence, schedule: Schedule, siteZone: string, now: Date): Date {
  const day = sendDay(cadence, schedule, localDay(now, schedule.timezone ?? siteZone));
  const time = sendTime(day, schedule, siteZone);
  return time > now ? time : sendTime(nextDay(cadence, day), schedule, siteZone);
}

/**
 * Returns the last full period when the latest report was due: the day before, the seven days before, or the calendar
 * month before.
 *
 * @param siteZone timezone of the site, whose local days a report has.
 */
export function lastPeriod(cadence: Cadence, schedule: Schedule, siteZone: string, now: Date): Period {
  const day = localDay(lastTime(cadence, schedule, siteZone, now), siteZone);
  return periodUntil(
    cadence,
    cadence === "monthly" ? day.with({ day: 1 }).subtract({ days: 1 }) : day.subtract({ days: 1 }),
  );
}

/** Returns the period that ends with this day. */
export const periodUntil = (cadence: Cadence, to: Temporal.PlainDate): Period => ({
  from: cadence === "monthly" ? to.with({ day: 1 }) : cadence === "weekly" ? to.subtract({ days: 6 }) : to,
  to,
});

/**
 * Returns when a report is sent that was due at `nextAt` in another timezone of the site: on the same local day, so that
 * none is left out or sent twice. It may have passed there already.
 */
export const movedTime = (cadence: Cadence, schedule: Schedule, nextAt: Date, from: string, to: string): Date =>
  sendTime(sendDay(cadence, schedule, localDay(nextAt, from)), schedule, to);
