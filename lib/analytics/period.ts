import { invalidInput } from "@/lib/contract/errors";
import type { Comparison, Interval, Period } from "@/lib/contract/fields";
import { startOfDay, Temporal } from "@/lib/time";

/** A stretch of time in a site's own zone. `start` is inclusive, `end` exclusive; `from` and `to` are its local days. */
export interface Range {
  timezone: string;
  start: Date;
  end: Date;
  from: Temporal.PlainDate;
  to: Temporal.PlainDate;
  /** How many local days the range before it lies back. */
  days: number;
  /** Of a comparison: how far it lies back on the calendar. */
  back?: Temporal.DurationLike;
  /** It includes now, so what it counts still grows. */
  partial: boolean;
}

const LONGEST_DAYS = 366 * 10 + 3;

interface Asked {
  period?: Period | null;
  from?: string | null;
  to?: string | null;
}

/**
 * The range that a question names, in the site's local days. `from`/`to` win over `period`; the default is `28d`.
 * Periods that count days end with today.
 *
 * @param since the local day of the site's first event, for `all`.
 * @throws Refusal `invalid_input` for a range that runs backwards, is incomplete or is longer than ten years.
 */
export function rangeOf(asked: Asked, timezone: string, now: Date, since: Temporal.PlainDate): Range {
  const here = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timezone);
  if (!asked.from && !asked.to && asked.period === "24h") return lastDayByHours(here);
  const [from, to] = daysOf(asked, here.toPlainDate(), since);
  return days(from, to, timezone, now);
}

function daysOf(asked: Asked, today: Temporal.PlainDate, since: Temporal.PlainDate) {
  if (asked.from || asked.to || asked.period === "custom") return customDays(asked, today);
  const monthStart = today.with({ day: 1 });
  const last = (count: number): [Temporal.PlainDate, Temporal.PlainDate] => [
    today.subtract({ days: count - 1 }),
    today,
  ];
  const lastMonths = (count: number): [Temporal.PlainDate, Temporal.PlainDate] => [
    monthStart.subtract({ months: count - 1 }),
    today,
  ];
  const known: Record<Exclude<Period, "24h" | "custom">, () => [Temporal.PlainDate, Temporal.PlainDate]> = {
    today: () => [today, today],
    yesterday: () => [today.subtract({ days: 1 }), today.subtract({ days: 1 })],
    "7d": () => last(7),
    "28d": () => last(28),
    "30d": () => last(30),
    "90d": () => last(90),
    "6mo": () => lastMonths(6),
    "12mo": () => lastMonths(12),
    month: () => [monthStart, today],
    last_month: () => [monthStart.subtract({ months: 1 }), monthStart.subtract({ days: 1 })],
    year: () => [today.with({ month: 1, day: 1 }), today],
    all: () => [Temporal.PlainDate.compare(since, today) < 0 ? since : today, today],
  };
  return known[(asked.period ?? "28d") as keyof typeof known]();
}

function customDays(asked: Asked, today: Temporal.PlainDate): [Temporal.PlainDate, Temporal.PlainDate] {
  if (!asked.from) throw invalidInput([{ path: "from", message: "is required for a custom range" }]);
  const from = Temporal.PlainDate.from(asked.from);
  const to = asked.to ? Temporal.PlainDate.from(asked.to) : today;
  if (from.year < 1970) throw invalidInput([{ path: "from", message: "is before 1970" }]);
  if (to.year > 2100) throw invalidInput([{ path: "to", message: "is after 2100" }]);
  if (Temporal.PlainDate.compare(from, to) > 0) {
    throw invalidInput([{ path: "from", message: `is after to (${to}); swap them` }]);
  }
  if (from.until(to).days > LONGEST_DAYS) {
    throw invalidInput([{ path: "from", message: "makes a range of more than ten years; choose a later day" }]);
  }
  return [from, to];
}

/** Whole local days. */
export function days(from: Temporal.PlainDate, to: Temporal.PlainDate, timezone: string, now: Date): Range {
  const start = startOfDay(from, timezone);
  const end = startOfDay(to.add({ days: 1 }), timezone);
  return { timezone, start, end, from, to, days: from.until(to).days + 1, partial: start <= now && now < end };
}

function lastDayByHours(here: Temporal.ZonedDateTime): Range {
  // Back in time rather than on the clock, which may have been moved since the hour was full.
  let hour = here.round({ smallestUnit: "minute", roundingMode: "floor" });
  while (hour.minute > 0) hour = hour.subtract({ minutes: hour.minute });
  const start = hour.subtract({ hours: 23 });
  return {
    timezone: here.timeZoneId,
    start: new Date(start.epochMilliseconds),
    end: new Date(hour.add({ hours: 1 }).epochMilliseconds),
    from: start.toPlainDate(),
    to: here.toPlainDate(),
    days: 1,
    partial: true,
  };
}

/**
 * The range to compare with. The previous period lies right before; from a week on it is moved by whole weeks, so
 * that Mondays meet Mondays. A range that still grows is compared up to the same local time of day, not to the end.
 */
export function comparisonOf(range: Range, how: Comparison, now: Date): Range | null {
  if (how === "none") return null;
  const back =
    how === "year_over_year" ? { years: 1 } : { days: range.days < 7 ? range.days : Math.ceil(range.days / 7) * 7 };
  const earlier = (at: Date): Date => {
    const here = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(range.timezone);
    return new Date(here.subtract(back).epochMilliseconds);
  };
  const [from, to] = [range.from.subtract(back), range.to.subtract(back)];
  const wholeDays = range.start.getTime() === startOfDay(range.from, range.timezone).getTime();
  return {
    ...range,
    // Days begin where days begin, on both sides of a clock change; only "now" is the same time on the wall.
    start: wholeDays ? startOfDay(from, range.timezone) : earlier(range.start),
    end: range.partial ? earlier(now) : startOfDay(to.add({ days: 1 }), range.timezone),
    from,
    to,
    back,
    partial: false,
  };
}

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
  return interval === "hour" ? hourStarts(range) : startsBetween(range.start, range.end, range.timezone, interval);
}

/** When each local day of a range begins. */
export const dayStarts = ({ start, end, timezone }: Range): Date[] => startsBetween(start, end, timezone, "day");

function startsBetween(start: Date, end: Date, timezone: string, interval: Interval): Date[] {
  const starts: Date[] = [];
  let at = Temporal.Instant.fromEpochMilliseconds(start.getTime()).toZonedDateTimeISO(timezone);
  while (at.epochMilliseconds < end.getTime()) {
    starts.push(new Date(at.epochMilliseconds));
    at = following(at, interval);
  }
  return starts;
}

/** Hours day by day: on the many days of 24 hours they need no calendar. */
function hourStarts({ start, end, timezone }: Range): Date[] {
  const days = startsBetween(start, end, timezone, "day");
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

/** How a bucket is called in local time: a date, or date and time for hours and minutes. */
export function bucketLabel(start: Date, timezone: string, interval: Interval): string {
  const local = Temporal.Instant.fromEpochMilliseconds(start.getTime()).toZonedDateTimeISO(timezone);
  const fine = interval === "hour" || interval === "minute";
  return fine ? local.toPlainDateTime().toString({ smallestUnit: "minute" }) : local.toPlainDate().toString();
}
