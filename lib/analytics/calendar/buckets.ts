import type { Range } from "@/lib/analytics/calendar/period";
import type { Interval } from "@/lib/contract/fields";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/platform/durations";
import { invalidInput } from "@/lib/platform/errors";
import { localDay, startOfDay, Temporal, zoned } from "@/lib/platform/time";

/** The hours, days, weeks and months of a range, in its own zone. */

/** The default interval of a chart. */
export function naturalInterval(range: Range): Interval {
  if (range.days <= 2) return "hour";
  if (range.days <= 120) return "day";
  return range.days <= 366 ? "week" : "month";
}

const MOST_BUCKETS = 1500;

/**
 * When the buckets of a range begin, in the zone's own hours, days, Monday weeks and months; the first begins with the
 * range. Local days that a zone skipped have no bucket.
 *
 * @throws Refusal `invalid_input` for more than about 1,500 buckets.
 */
export function bucketStarts(range: Range, interval: Interval): Date[] {
  const lengths = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS, month: 28 * DAY_MS };
  if ((range.end.getTime() - range.start.getTime()) / lengths[interval] > MOST_BUCKETS) {
    throw invalidInput([{ path: "interval", message: `${interval} makes too many buckets; choose a longer one` }]);
  }
  if (interval === "minute") return regularStarts(range.start, range.end, MINUTE_MS);
  if (interval === "hour") return hourStarts(range);
  const days = dayStarts(range);
  if (interval === "day") return days;
  // By numbers of weeks and months, because a zone may have skipped the first day of one.
  const numbers = dayNumbers(days, range.timezone).map((day) =>
    interval === "week" ? Math.floor((day + 3) / 7) : dateOfNumber(day).slice(0, 7),
  );
  return days.filter((_, index) => numbers[index] !== numbers[index - 1]);
}

const regularStarts = (start: Date, end: Date, width: number): Date[] =>
  Array.from({ length: Math.ceil((end.getTime() - start.getTime()) / width) }, (_, index) => {
    return new Date(start.getTime() + index * width);
  });

/** When each local day of a range begins; an empty range, as that before a day that begins now, has one day. */
export function dayStarts({ start, end, timezone }: Pick<Range, "start" | "end" | "timezone">): Date[] {
  const starts: Date[] = [];
  let at = zoned(start, timezone);
  do {
    starts.push(new Date(at.epochMilliseconds));
    // Until the next clock change midnights are 24 hours apart, so no calendar is needed.
    if (at.toPlainTime().equals(MIDNIGHT)) {
      const change = at.getTimeZoneTransition("next")?.epochMilliseconds ?? Number.POSITIVE_INFINITY;
      const until = Math.min(change, end.getTime());
      let next = at.epochMilliseconds + DAY_MS;
      for (; next < until; next += DAY_MS) starts.push(new Date(next));
      at = zoned(new Date(next - DAY_MS), timezone);
    }
    at = nextDay(at);
  } while (at.epochMilliseconds < end.getTime());
  return starts;
}

/** The next local day's first moment. A zone that crossed the date line skipped a day, whose midnight is not later. */
function nextDay(at: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  for (let days = 1; ; days++) {
    const next = at.toPlainDate().add({ days }).toZonedDateTime({ timeZone: at.timeZoneId });
    if (next.epochMilliseconds > at.epochMilliseconds) return next;
  }
}

const MIDNIGHT = Temporal.PlainTime.from("00:00");

/** A date as the number of days since 1970-01-01. */
export const dayNumber = ({ year, month, day }: Temporal.PlainDate): number => Date.UTC(year, month - 1, day) / DAY_MS;

/** The dates of local days that begin at these moments, as numbers of days since 1970-01-01. */
export function dayNumbers(starts: readonly Date[], timezone: string): number[] {
  const numberOf = (start: Date) => dayNumber(localDay(start, timezone));
  const [begin, end] = [starts[0], starts.at(-1)];
  if (!begin || !end) return [];
  const first = numberOf(begin);
  // With as many days as dates no date was skipped, and only the first needs the calendar.
  if (numberOf(end) - first === starts.length - 1) return starts.map((_, index) => first + index);
  return starts.map(numberOf);
}

/** The date of a day number, such as `2025-03-30`. */
export const dateOfNumber = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);

/** Hours day by day: days of 24 hours need no calendar. */
function hourStarts({ start, end, timezone }: Range): Date[] {
  const days = dayStarts({ start, end, timezone });
  return days.flatMap((day, index) => {
    const next = days[index + 1] ?? end;
    if (next.getTime() - day.getTime() === DAY_MS) return regularStarts(day, next, HOUR_MS);
    const starts: Date[] = [];
    for (let at = zoned(day, timezone); at.epochMilliseconds < next.getTime(); at = nextHour(at)) {
      starts.push(new Date(at.epochMilliseconds));
    }
    return starts;
  });
}

/**
 * The next full hour on the wall clock, also where a clock changes by half an hour (Lord Howe); or the moment of a
 * change into another hour before that (Chatham, from 2:45 to 3:45).
 */
function nextHour(at: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  const change = at.getTimeZoneTransition("next");
  for (let hours = 1; ; hours++) {
    const next = at.add({ hours }).round({ smallestUnit: "hour", roundingMode: "floor" });
    if (next.epochMilliseconds <= at.epochMilliseconds) continue;
    const before = change && change.epochMilliseconds < next.epochMilliseconds && change.hour !== at.hour;
    return before ? change : next;
  }
}

/** The label of the same bucket in the comparison: the same weekday, date or time of day, so much earlier. */
export function labelBefore(label: string, back: Temporal.DurationLike): string {
  return label.includes("T")
    ? Temporal.PlainDateTime.from(label).subtract(back).toString({ smallestUnit: "minute" })
    : Temporal.PlainDate.from(label).subtract(back).toString();
}

/** A bucket of time: an hour, a day, a week or a month of a range. */
export interface CalendarBucket {
  start: Date;
  /** As of `bucketLabel`. */
  label: string;
  /** It includes now, or has begun and the range cuts its week or month. */
  partial: boolean;
}

export const BUCKET_LABEL =
  "The bucket's start in local time; of weeks and months their first day, also where the range cuts them";
export const BUCKET_PARTIAL =
  "The bucket includes now, or the range cuts its week or month. Later buckets have not begun: their zeros mean nothing yet";

/** The buckets of a range. @throws Refusal as `bucketStarts` does. */
export function bucketsOf(range: Range, interval: Interval, now: Date): CalendarBucket[] {
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

/** Whether a week or month begins on a date; always true of other intervals. */
export const isFirstDay = (date: Temporal.PlainDate, interval: Interval): boolean =>
  firstDay(date, interval).equals(date);

/** The first day of the week or month of a date; of other intervals the date itself. */
function firstDay(date: Temporal.PlainDate, interval: Interval): Temporal.PlainDate {
  if (interval === "week") return date.subtract({ days: date.dayOfWeek - 1 });
  return interval === "month" ? date.with({ day: 1 }) : date;
}

/** Whether a week or month begins at a moment; always true of other intervals. */
function isBoundary(at: Date, timezone: string, interval: Interval): boolean {
  if (interval !== "week" && interval !== "month") return true;
  const date = localDay(at, timezone);
  return isFirstDay(date, interval) && startOfDay(date, timezone).getTime() === at.getTime();
}

/** The label of a bucket in local time: date and time for hours and minutes, else its first date by the calendar. */
export function bucketLabel(start: Date, timezone: string, interval: Interval): string {
  const local = zoned(start, timezone);
  const fine = interval === "hour" || interval === "minute";
  return fine
    ? local.toPlainDateTime().toString({ smallestUnit: "minute" })
    : firstDay(local.toPlainDate(), interval).toString();
}
