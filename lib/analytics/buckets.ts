import type { Range } from "@/lib/analytics/period";
import { invalidInput } from "@/lib/contract/errors";
import type { Interval } from "@/lib/contract/fields";
import { localDay, startOfDay, Temporal, zoned } from "@/lib/time";

/** The hours, days, weeks and months of a range, in its own zone. */

/** The interval a chart takes when none is asked for. */
export function naturalInterval(range: Range): Interval {
  if (range.days <= 2) return "hour";
  if (range.days <= 120) return "day";
  return range.days <= 366 ? "week" : "month";
}

const MOST_BUCKETS = 1500;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * The moments at which the buckets of a range begin, in the zone's own hours, days, Monday weeks and months,
 * the first one being the range's start. Local days that never happened have no bucket.
 *
 * @throws Refusal `invalid_input` when there would be more than about 1,500 of them.
 */
export function bucketStarts(range: Range, interval: Interval): Date[] {
  const lengths = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS, month: 28 * DAY_MS };
  if ((range.end.getTime() - range.start.getTime()) / lengths[interval] > MOST_BUCKETS) {
    throw invalidInput([{ path: "interval", message: `${interval} makes too many buckets; choose a longer one` }]);
  }
  if (interval === "day") return dayStarts(range);
  return interval === "hour" ? hourStarts(range) : startsBetween(range.start, range.end, range.timezone, interval);
}

/** When each local day of a range begins. */
export function dayStarts({ start, end, timezone }: Pick<Range, "start" | "end" | "timezone">): Date[] {
  const starts: Date[] = [];
  let at = zoned(start, timezone);
  while (at.epochMilliseconds < end.getTime()) {
    starts.push(new Date(at.epochMilliseconds));
    // Until the clocks are moved, midnights follow each other every 24 hours: years of them need no calendar.
    if (at.toPlainTime().equals(MIDNIGHT)) {
      const moved = at.getTimeZoneTransition("next")?.epochMilliseconds ?? Number.POSITIVE_INFINITY;
      const until = Math.min(moved, end.getTime());
      let next = at.epochMilliseconds + DAY_MS;
      for (; next < until; next += DAY_MS) starts.push(new Date(next));
      at = zoned(new Date(next - DAY_MS), timezone);
    }
    at = following(at, "day");
  }
  return starts;
}

const MIDNIGHT = Temporal.PlainTime.from("00:00");

/** A date as the number of days since 1970-01-01. */
export const dayNumber = ({ year, month, day }: Temporal.PlainDate): number => Date.UTC(year, month - 1, day) / DAY_MS;

/** The dates of local days by their beginnings, as numbers of days since 1970-01-01. */
export function dayNumbers(starts: readonly Date[], timezone: string): number[] {
  const numberOf = (start: Date) => dayNumber(localDay(start, timezone));
  const [begin, end] = [starts[0], starts.at(-1)];
  if (!begin || !end) return [];
  const first = numberOf(begin);
  // With as many days as dates none was skipped, and only the first needs the calendar.
  if (numberOf(end) - first === starts.length - 1) return starts.map((_, index) => first + index);
  return starts.map(numberOf);
}

/** A date by its number, such as `2025-03-30`. */
export const dateOfNumber = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);

function startsBetween(start: Date, end: Date, timezone: string, interval: Interval): Date[] {
  const starts: Date[] = [];
  let at = zoned(start, timezone);
  while (at.epochMilliseconds < end.getTime()) {
    starts.push(new Date(at.epochMilliseconds));
    at = following(at, interval);
  }
  return starts;
}

/** Hours day by day: on the many days of 24 hours they need no calendar. */
function hourStarts({ start, end, timezone }: Range): Date[] {
  const days = dayStarts({ start, end, timezone });
  return days.flatMap((day, index) => {
    const next = days[index + 1] ?? end;
    if (next.getTime() - day.getTime() !== DAY_MS) return startsBetween(day, next, timezone, "hour");
    return Array.from({ length: 24 }, (_, hour) => new Date(day.getTime() + hour * HOUR_MS));
  });
}

function following(at: Temporal.ZonedDateTime, interval: Interval): Temporal.ZonedDateTime {
  const midnight = (day: Temporal.PlainDate) => {
    let next = day;
    // A zone that crossed the date line has skipped a day: its midnight is the next one's.
    while (next.toZonedDateTime({ timeZone: at.timeZoneId }).epochMilliseconds <= at.epochMilliseconds) {
      next = next.add({ days: 1 });
    }
    return next.toZonedDateTime({ timeZone: at.timeZoneId });
  };
  const day = at.toPlainDate();
  switch (interval) {
    case "minute":
      return at.add({ minutes: 1 });
    case "hour":
      return followingHour(at);
    case "day":
      return midnight(day.add({ days: 1 }));
    case "week":
      return midnight(day.add({ days: 8 - day.dayOfWeek }));
    case "month":
      return midnight(day.with({ day: 1 }).add({ months: 1 }));
  }
}

/**
 * The next full hour on the wall clock, also where a clock moves by half an hour (Lord Howe); or the moment at which the
 * clock is moved into another hour before that (Chatham, from 2:45 to 3:45).
 */
function followingHour(at: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  const moved = at.getTimeZoneTransition("next");
  for (let hours = 1; ; hours++) {
    const next = at.add({ hours }).round({ smallestUnit: "hour", roundingMode: "floor" });
    if (next.epochMilliseconds <= at.epochMilliseconds) continue;
    const before = moved && moved.epochMilliseconds < next.epochMilliseconds && moved.hour !== at.hour;
    return before ? moved : next;
  }
}

/** How the bucket of the same place in the comparison is called: the same weekday, date or time of day, so much earlier. */
export function labelBefore(label: string, back: Temporal.DurationLike): string {
  return label.includes("T")
    ? Temporal.PlainDateTime.from(label).subtract(back).toString({ smallestUnit: "minute" })
    : Temporal.PlainDate.from(label).subtract(back).toString();
}

/** The time of a bucket. */
export interface Stretch {
  start: Date;
  /** As of `bucketLabel`. */
  label: string;
  /** It includes now, or has begun and is only a part of its week or month, which the range cuts. */
  partial: boolean;
}

export const BUCKET_LABEL =
  "The bucket's start in local time; of weeks and months their first day, also where the range cuts them";
export const BUCKET_PARTIAL =
  "The bucket includes now, or the range cuts its week or month. Those behind now have not begun: their zeros say nothing yet";

/** The buckets of a range. @throws Refusal as `bucketStarts` does. */
export function bucketsOf(range: Range, interval: Interval, now: Date): Stretch[] {
  const { timezone } = range;
  const starts = bucketStarts(range, interval);
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? range.end;
    const whole = [start, end].every((at) => isBoundary(at, timezone, interval));
    return {
      start,
      label: bucketLabel(start, timezone, interval),
      partial: start <= now && (now < end || !whole),
    };
  });
}

/** The first day of the week or month of a date; of other intervals the date itself. */
function firstDay(date: Temporal.PlainDate, interval: Interval): Temporal.PlainDate {
  if (interval === "week") return date.subtract({ days: date.dayOfWeek - 1 });
  return interval === "month" ? date.with({ day: 1 }) : date;
}

/** Whether a week or month begins at a moment; always true of other intervals. */
function isBoundary(at: Date, timezone: string, interval: Interval): boolean {
  if (interval !== "week" && interval !== "month") return true;
  const date = localDay(at, timezone);
  return firstDay(date, interval).equals(date) && startOfDay(date, timezone).getTime() === at.getTime();
}

/** How a bucket is called in local time: date and time for hours and minutes, else the first date of its day, week or month. */
export function bucketLabel(start: Date, timezone: string, interval: Interval): string {
  const local = zoned(start, timezone);
  const fine = interval === "hour" || interval === "minute";
  return fine
    ? local.toPlainDateTime().toString({ smallestUnit: "minute" })
    : firstDay(local.toPlainDate(), interval).toString();
}
