import type { Comparison, Interval, Period } from "@/lib/contract/fields";
import type { Traffic, TrafficClass } from "@/lib/contract/vocabulary";
import {
  dateAt,
  daysBetween,
  HOUR,
  MINUTE,
  midnight,
  momentOf,
  plusDays,
  plusMonths,
  wall,
  weekday,
} from "@/lib/testing/oracle/clock";
import { pageKey } from "@/lib/testing/oracle/dimensions";
import { type Fact, type RawEvent, type Visit, visitsOf } from "@/lib/testing/oracle/facts";
import { chosenBy, type SavedGoal, type SentFilters } from "@/lib/testing/oracle/filters";
import { type DailySum, type Imported, importedIn } from "@/lib/testing/oracle/imported";

/** What a report is asked, and what it then counts: plain lists of visits and events. */
export interface Asked {
  period?: Period;
  from?: string;
  to?: string;
  traffic?: Traffic;
  compare?: Comparison;
  compare_from?: string;
  compare_to?: string;
  filters?: SentFilters;
  /** The filters of the segment and of the dashboard that are named with the question. */
  saved?: SentFilters[];
}

/** Everything there is to know. */
export interface Known {
  zone: string;
  now: number;
  events: readonly RawEvent[];
  goals: readonly SavedGoal[];
  /** Whether the site knows people again within a month. */
  monthly?: boolean;
  /** What has become of the visits since they were written. */
  revise?: (visits: Visit[]) => Visit[];
  /** Events that were erased with all that only they said; the titles of pages that are still seen are older. */
  erased?: readonly RawEvent[];
  imported?: Imported;
}

export interface Range {
  zone: string;
  now: number;
  start: number;
  end: number;
  from: string;
  to: string;
  /** Whether it grows still. */
  partial: boolean;
  /** Of a comparison: the date that lies so much before another; null where it is longer or shorter than the range. */
  earlier: ((date: string) => string) | null;
}

/** What is left of everything by a question: the visits that began in its range, the events that happened in it. */
export interface Selection {
  range: Range;
  visits: Visit[];
  facts: Fact[];
  /** All events of the range in visits that are chosen. */
  activity: Fact[];
  /** All visits there ever were, for what looks beyond the range. */
  everything: Visit[];
  titles: ReadonlyMap<string, string>;
  /** What another service counted on days of the range. */
  imported: DailySum[];
  known: Known;
  asked: Asked;
}

/** The local days of a range, clipped to it; dates that never happened are left out. */
export function daysOf({ from, to, start, end, zone }: Range): { date: string; start: number; end: number }[] {
  const days = [];
  for (let date = from; date <= to; date = plusDays(date, 1)) {
    const day = {
      date,
      start: Math.max(start, midnight(date, zone)),
      end: Math.min(end, midnight(plusDays(date, 1), zone)),
    };
    if (day.start < day.end) days.push(day);
  }
  return days;
}

export function rangeOf(asked: Asked, known: Known): Range {
  const { zone, now } = known;
  const today = dateAt(now, zone);
  const earlier = (date: string) => date;
  if (!asked.from && asked.period === "24h") {
    let hour = Math.floor(now / MINUTE) * MINUTE;
    while (wall(hour, zone).slice(14, 16) !== "00") hour -= MINUTE;
    const start = hour - 23 * HOUR;
    return { zone, now, start, end: hour + HOUR, from: dateAt(start, zone), to: today, partial: true, earlier };
  }
  const [from, to] = asked.from ? [asked.from, asked.to ?? today] : datesOf(asked.period ?? "28d", today, known);
  const [start, end] = [midnight(from, zone), midnight(plusDays(to, 1), zone)];
  return { zone, now, start, end, from, to, partial: start <= now && now < end, earlier };
}

function datesOf(period: Period, today: string, known: Known): [string, string] {
  const { zone } = known;
  const first = `${today.slice(0, 8)}01`;
  const counted = /^(\d+)(d|mo)$/.exec(period);
  if (counted?.[2] === "d") return [plusDays(today, 1 - Number(counted[1])), today];
  if (counted?.[2] === "mo") return [plusMonths(first, 1 - Number(counted[1])), today];
  switch (period) {
    case "today":
      return [today, today];
    case "yesterday":
      return [plusDays(today, -1), plusDays(today, -1)];
    case "month":
      return [first, today];
    case "last_month":
      return [plusMonths(first, -1), plusDays(first, -1)];
    case "year":
      return [`${today.slice(0, 5)}01-01`, today];
    case "all": {
      const stored = historyOf(known).flatMap(({ facts }) => facts.map(({ at }) => at));
      const own = stored.length > 0 ? [dateAt(Math.min(...stored), zone)] : [];
      const dates = [...own, ...(known.imported?.sums ?? []).map(({ date }) => date)].sort();
      return [dates[0] ?? today, today];
    }
    default:
      throw new Error(`no dates are known for ${period}`);
  }
}

/**
 * The range to compare with: the same days a year before, as many days directly before, or days of the question's own. A
 * range that includes now is compared up to the same local time, unless it has more or fewer days than those.
 */
export function rangeBefore(range: Range, asked: Asked): Range | null {
  const { compare = "none", compare_from: first, compare_to: last } = asked;
  const { zone, now } = range;
  const byHours = !asked.from && asked.period === "24h";
  const count = byHours ? 1 : daysBetween(range.from, range.to) + 1;
  if (first && last && daysBetween(first, last) + 1 !== count) {
    const [start, end] = [midnight(first, zone), midnight(plusDays(last, 1), zone)];
    return { zone, now, start, end, from: first, to: last, partial: false, earlier: null };
  }
  if (!last && compare === "none") return null;
  const distance = last ? daysBetween(last, range.to) : count;
  const isYear = !last && compare === "year_over_year";
  const earlier = (date: string) => (isYear ? plusMonths(date, -12) : plusDays(date, -distance));
  const sameTime = (at: number) => {
    const shown = wall(at, zone);
    return momentOf(`${earlier(shown.slice(0, 10))}${shown.slice(10)}`, zone) + (at % 1000);
  };
  const [from, to] = [earlier(range.from), earlier(range.to)];
  return {
    zone,
    now,
    start: byHours ? sameTime(range.start) : midnight(from, zone),
    end: range.partial ? sameTime(now) : midnight(plusDays(to, 1), zone),
    from,
    to,
    partial: false,
    earlier,
  };
}

/** Answers a question's "what of all this": for its range, and for the one before. */
export function select(asked: Asked, known: Known): { scope: Selection; before: Selection | null } {
  const range = rangeOf(asked, known);
  const previous = rangeBefore(range, asked);
  return { scope: selectIn(range, asked, known), before: previous && selectIn(previous, asked, known) };
}

/** All visits, as they are now. */
const historyOf = ({ events, zone, revise = (same) => same }: Known): Visit[] => revise(visitsOf(events, zone));

/** All that a question is narrowed to. */
export const filtersOf = ({ filters = {}, saved = [] }: Asked): SentFilters[] => [filters, ...saved];

export function selectIn(range: Range, asked: Asked, known: Known): Selection {
  const { zone } = range;
  const everything = historyOf(known);
  const within = (at: number) => range.start <= at && at < range.end;
  const counts = (traffic: TrafficClass) => asked.traffic === "all" || traffic === (asked.traffic ?? "human");
  const titles = new Map<string, string>();
  for (const { page } of [...(known.erased ?? []), ...known.events])
    if (page && !titles.has(pageKey(page))) titles.set(pageKey(page), page.title ?? "");
  const inRange = everything.flatMap(({ facts }) => facts).filter(({ at }) => within(at));
  const dayOf = (at: number) => dateAt(at, zone);
  const filters = filtersOf(asked);
  const chosen = chosenBy({ filters, goals: known.goals, titles, inRange, dayOf });
  return {
    range,
    visits: everything.filter(({ started, traffic }) => within(started) && counts(traffic)).filter(chosen.visit),
    facts: inRange.filter(({ traffic }) => counts(traffic)).filter(chosen.fact),
    activity: inRange.filter(({ traffic }) => counts(traffic)).filter(chosen.activity),
    everything,
    titles,
    imported: importedIn(range, asked, known, everything),
    known,
    asked,
  };
}

/**
 * When the buckets of a range begin: with the range, and wherever the wall then shows another date, week or month, or a
 * full hour or minute. Found by looking at the clock minute by minute, or day by day.
 */
export function bucketsOf(range: Range, interval: Interval): OracleBucket[] {
  const { zone, start, end } = range;
  // At midnight, what is compared with a day that has just begun is nothing yet.
  const starts: number[] = start < end ? [start] : [];
  if (interval === "minute" || interval === "hour") {
    let shown = wall(start, zone);
    for (let at = start + MINUTE; at < end; at += MINUTE) {
      const next = wall(at, zone);
      const otherHour = next.slice(0, 13) !== shown.slice(0, 13) || next.slice(14, 16) === "00";
      if (interval === "minute" || otherHour) starts.push(at);
      shown = next;
    }
  } else {
    for (const day of daysOf(range)) {
      if (begins(day.date, interval) && day.start > start) starts.push(day.start);
    }
  }
  const fine = interval === "minute" || interval === "hour";
  return starts.map((at, index) => {
    const next = starts[index + 1] ?? end;
    let date = dateAt(at, zone);
    while (!fine && !begins(date, interval)) date = plusDays(date, -1);
    const isWhole = (moment: number) =>
      fine || (begins(dateAt(moment, zone), interval) && midnight(dateAt(moment, zone), zone) === moment);
    const cut = (interval === "week" || interval === "month") && !(isWhole(at) && isWhole(next));
    const partial = at <= range.now && (range.now < next || cut);
    return { start: at, end: next, label: fine ? wall(at, zone).slice(0, 16) : date, partial };
  });
}

/** Whether a day, week or month begins with a date. */
const begins = (date: string, interval: Interval): boolean =>
  interval === "week" ? weekday(date) === 0 : interval !== "month" || date.endsWith("-01");

export interface OracleBucket {
  start: number;
  end: number;
  label: string;
  partial: boolean;
}

/** How wide buckets are when nobody says it. */
export function naturalInterval(range: Range, byHours: boolean): Interval {
  const count = byHours ? 1 : daysBetween(range.from, range.to) + 1;
  if (count <= 2) return "hour";
  if (count <= 120) return "day";
  return count <= 366 ? "week" : "month";
}
