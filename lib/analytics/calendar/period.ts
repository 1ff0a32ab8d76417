import type { Comparison, Meta, Period } from "@/lib/contract/fields";
import { invalidInput } from "@/lib/platform/errors";
import { startOfDay, Temporal, zoned } from "@/lib/platform/time";

/** A range of time in a site's own zone. `start` is inclusive, `end` exclusive; `from` and `to` are its local days. */
export interface Range {
  timezone: string;
  start: Date;
  end: Date;
  from: Temporal.PlainDate;
  to: Temporal.PlainDate;
  /** How many local days earlier the previous period lies. */
  days: number;
  /** How far a comparison lies back on the calendar; none where its days are not as many as those of the range. */
  back?: Temporal.DurationLike;
  /** It includes now, so its numbers still grow. */
  partial: boolean;
  /** It begins and ends with an hour, not with a local day. */
  byHours?: true;
}

const LONGEST_DAYS = 366 * 10 + 3;

export interface RangeInput {
  period?: Period | null;
  from?: string | null;
  to?: string | null;
}

/**
 * The range that a query names, in the site's local days. `from`/`to` win over `period`; the default is `28d`.
 * Periods that count days end with today.
 *
 * @param since the local day of the site's first event, for `all`.
 * @throws Refusal `invalid_input` for a range that is reversed, incomplete or longer than ten years.
 */
export function rangeOf(input: RangeInput, timezone: string, now: Date, since: Temporal.PlainDate): Range {
  const here = zoned(now, timezone);
  if (!input.from && !input.to && input.period === "24h") return lastDayByHours(here);
  const [from, to] = daysOfRange(input, here.toPlainDate(), since);
  return days(from, to, timezone, now);
}

function daysOfRange(input: RangeInput, today: Temporal.PlainDate, since: Temporal.PlainDate) {
  if (input.from || input.to || input.period === "custom") return customDays(input, today);
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
  return known[(input.period ?? "28d") as keyof typeof known]();
}

function customDays(input: RangeInput, today: Temporal.PlainDate): [Temporal.PlainDate, Temporal.PlainDate] {
  if (!input.from)
    throw invalidInput([
      { path: "from", message: input.to ? "is required with to" : "is required for a custom range" },
    ]);
  const [from, to] = [Temporal.PlainDate.from(input.from), input.to ? Temporal.PlainDate.from(input.to) : today];
  checkDays(from, to, { from: "from", to: "to" });
  return [from, to];
}

/** @param fields what the caller calls the first and the last day. @throws Refusal `invalid_input` as `rangeOf` does. */
function checkDays(from: Temporal.PlainDate, to: Temporal.PlainDate, fields: { from: string; to: string }): void {
  if (from.year < 1970) throw invalidInput([{ path: fields.from, message: "is before 1970" }]);
  if (to.year > 2100) throw invalidInput([{ path: fields.to, message: "is after 2100" }]);
  if (Temporal.PlainDate.compare(from, to) > 0) {
    throw invalidInput([{ path: fields.from, message: `is after ${fields.to} (${to}); swap them` }]);
  }
  if (from.until(to).days > LONGEST_DAYS) {
    throw invalidInput([{ path: fields.from, message: "makes a range of more than ten years; choose a later day" }]);
  }
}

/** The first and last local day of a comparison range that the caller chose. */
export interface ComparedDays {
  from: Temporal.PlainDate;
  to: Temporal.PlainDate;
}

interface AskedComparison {
  compare?: Comparison | null;
  compare_from?: string | null;
  compare_to?: string | null;
}

/**
 * The days of the caller's own comparison range; null where none is given.
 *
 * @throws Refusal `invalid_input` for one day without the other, beside `compare` none, and for an impossible range.
 */
export function comparedDays({ compare, compare_from, compare_to }: AskedComparison): ComparedDays | null {
  if (!compare_from && !compare_to) return null;
  if (!compare_from) throw invalidInput([{ path: "compare_from", message: "is required together with compare_to" }]);
  if (!compare_to) throw invalidInput([{ path: "compare_to", message: "is required together with compare_from" }]);
  if (compare === "none") {
    const message = "does not go with compare none; leave out compare, or compare_from and compare_to";
    throw invalidInput([{ path: "compare", message }]);
  }
  const [from, to] = [Temporal.PlainDate.from(compare_from), Temporal.PlainDate.from(compare_to)];
  checkDays(from, to, { from: "compare_from", to: "compare_to" });
  return { from, to };
}

/** Whole local days. */
export function days(from: Temporal.PlainDate, to: Temporal.PlainDate, timezone: string, now: Date): Range {
  const start = startOfDay(from, timezone);
  const end = startOfDay(to.add({ days: 1 }), timezone);
  return { timezone, start, end, from, to, days: from.until(to).days + 1, partial: start <= now && now < end };
}

function lastDayByHours(here: Temporal.ZonedDateTime): Range {
  // Back in time rather than on the clock, which may have changed since the full hour.
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
    byHours: true,
  };
}

/** A comparison range as `meta.compare` publishes it: its local days, and the exact moments between which it counts. */
export const describeComparison = ({ from, to, start, end }: Range): NonNullable<Meta["compare"]> => ({
  from: from.toString(),
  to: to.toString(),
  start: start.toISOString(),
  end: end.toISOString(),
});

/**
 * The range to compare with, or null. `previous_period` is as many local days directly before the range,
 * `year_over_year` the same dates a year earlier. A range that includes now is compared up to the same local time, with
 * days of the caller's own where these are as many; any other number of days is counted whole.
 */
export function comparisonOf(range: Range, how: Comparison | ComparedDays, now: Date): Range | null {
  if (how === "none") return null;
  const back = distanceBack(range, how);
  if (back === null) {
    const { from, to } = how as ComparedDays;
    return { ...days(from, to, range.timezone, now), partial: false };
  }
  const earlier = (at: Date): Date => {
    const here = zoned(at, range.timezone);
    return new Date(here.subtract(back).epochMilliseconds);
  };
  const [from, to] = [range.from.subtract(back), range.to.subtract(back)];
  const wholeDays = range.start.getTime() === startOfDay(range.from, range.timezone).getTime();
  return {
    ...range,
    // Days begin at midnight on both sides of a clock change; only "now" is the same time on the wall clock.
    start: wholeDays ? startOfDay(from, range.timezone) : earlier(range.start),
    end: range.partial ? earlier(now) : startOfDay(to.add({ days: 1 }), range.timezone),
    from,
    to,
    back,
    partial: false,
  };
}

/** How far a comparison lies back on the calendar; null for days that are more or fewer than those of the range. */
function distanceBack({ days, to }: Range, how: Exclude<Comparison, "none"> | ComparedDays): Temporal.Duration | null {
  if (how === "year_over_year") return Temporal.Duration.from({ years: 1 });
  if (how === "previous_period") return Temporal.Duration.from({ days });
  return how.from.until(how.to).days + 1 === days ? how.to.until(to) : null;
}
