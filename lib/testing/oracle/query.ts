import type { Comparison, Interval, Period } from "@/lib/contract/fields";
import type { Attribution, Traffic, TrafficClass } from "@/lib/contract/vocabulary";
import { withFirstTouch } from "@/lib/testing/oracle/attribution";
import {
  dateAt,
  daysBetween,
  HOUR,
  MINUTE,
  midnight,
  momentOf,
  plusDays,
  plusMonths,
  QUARTER,
  wall,
  weekday,
} from "@/lib/testing/oracle/clock";
import { pageKey } from "@/lib/testing/oracle/dimensions";
import { type Fact, type RawEvent, type Visit, visitsOf } from "@/lib/testing/oracle/facts";
import { matcherOf, type SavedGoal, type SentFilters } from "@/lib/testing/oracle/filters";
import { type DailySum, type Imported, importedIn } from "@/lib/testing/oracle/imported";

/** Queries of reports, and the visits and events that they select, as plain lists. */
export interface Query {
  period?: Period;
  from?: string;
  to?: string;
  traffic?: Traffic;
  compare?: Comparison;
  compare_from?: string;
  compare_to?: string;
  filters?: SentFilters;
  attribution?: Attribution | undefined;
  /** The filters of the segment and of the dashboard. */
  saved?: SentFilters[];
}

/** The complete data of a site. */
export interface Known {
  zone: string;
  now: number;
  events: readonly RawEvent[];
  goals: readonly SavedGoal[];
  /** Whether the site recognises visitors within a month. */
  monthly?: boolean;
  /** Changes of the visits since they were written. */
  revise?: (visits: Visit[]) => Visit[];
  /** Deleted events. The titles of remaining pages can come from them. */
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
  /** Whether the range includes now. */
  partial: boolean;
  /** In a comparison, maps a date to the compared date; null when the comparison has another length than the range. */
  earlier: ((date: string) => string) | null;
}

/** The data that a query selects: visits that began in its range, and events that happened in it. */
export interface Selection {
  range: Range;
  visits: Visit[];
  facts: Fact[];
  /** The events in visits of the source and campaign that conversions and revenue are given to, which filters see too. */
  credited: Fact[];
  /** Returns whether an event meets the conditions on events, also after the range. */
  matches: (fact: Fact) => boolean;
  /** All events of the range in selected visits. */
  activity: Fact[];
  /** All visits of the site, for reports that look beyond the range. */
  everything: Visit[];
  titles: ReadonlyMap<string, string>;
  /** Imported sums of days of the range. */
  imported: DailySum[];
  known: Known;
  query: Query;
}

/** Returns the local days of a range, clipped to it, without dates that do not exist. */
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

export function rangeOf(query: Query, known: Known): Range {
  const { zone, now } = known;
  const today = dateAt(now, zone);
  const earlier = (date: string) => date;
  if (!query.from && query.period === "24h") {
    let hour = Math.floor(now / MINUTE) * MINUTE;
    while (wall(hour, zone).slice(14, 16) !== "00") hour -= MINUTE;
    const start = hour - 23 * HOUR;
    return { zone, now, start, end: hour + HOUR, from: dateAt(start, zone), to: today, partial: true, earlier };
  }
  const [from, to] = query.from ? [query.from, query.to ?? today] : datesOf(query.period ?? "28d", today, known);
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
      throw new Error(`unknown period ${period}`);
  }
}

/**
 * Returns the range to compare with: the same days of the year before, the days directly before, or custom days. A
 * range that includes now is compared up to the same local time, unless the custom days have another length.
 */
export function rangeBefore(range: Range, query: Query): Range | null {
  const { compare = "none", compare_from: first, compare_to: last } = query;
  const { zone, now } = range;
  const byHours = !query.from && query.period === "24h";
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
    const [date, time] = wall(at, zone).split("T") as [string, string];
    const compared = earlier(date);
    // A day compared with itself ends at the same moment, also in an hour that the clock shows twice.
    return compared === date ? at : momentOf(`${compared}T${time}`, zone) + (at % 1000);
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

/** Selects the data of a query, for its range and for its comparison. */
export function select(query: Query, known: Known): { scope: Selection; before: Selection | null } {
  const range = rangeOf(query, known);
  const previous = rangeBefore(range, query);
  return { scope: selectIn(range, query, known), before: previous && selectIn(previous, query, known) };
}

/** Returns the expected description of what was counted. */
export function metaOf(query: Query, known: Known): object {
  const { from, to, partial, zone } = rangeOf(query, known);
  const before = rangeBefore(rangeOf(query, known), query);
  const moment = (at: number) => new Date(at).toISOString();
  return {
    from,
    to,
    partial,
    timezone: zone,
    traffic: query.traffic ?? "human",
    compare: before && { from: before.from, to: before.to, start: moment(before.start), end: moment(before.end) },
  };
}

/** Returns all visits in their current state. */
export const historyOf = ({ events, zone, revise = (same) => same }: Known): Visit[] => revise(visitsOf(events, zone));

/** Returns all filters of a query. */
export const filtersOf = ({ filters = {}, saved = [] }: Query): SentFilters[] => [filters, ...saved];

export function selectIn(range: Range, query: Query, known: Known): Selection {
  const { zone } = range;
  const everything = historyOf(known);
  const within = (at: number) => range.start <= at && at < range.end;
  const counts = (traffic: TrafficClass) => query.traffic === "all" || traffic === (query.traffic ?? "human");
  const titles = new Map<string, string>();
  for (const { page } of [...(known.erased ?? []), ...known.events])
    if (page && !titles.has(pageKey(page))) titles.set(pageKey(page), page.title ?? "");
  const inRange = everything.flatMap(({ facts }) => facts).filter(({ at }) => within(at));
  const dayOf = (at: number) => dateAt(at, zone);
  const filters = filtersOf(query);
  const chosen = matcherOf({ filters, goals: known.goals, titles, inRange, dayOf });
  const facts = inRange.filter(({ traffic }) => counts(traffic));
  const touched = (fact: Fact) => withFirstTouch(fact, everything, query.traffic ?? "human");
  return {
    range,
    visits: everything.filter(({ started, traffic }) => within(started) && counts(traffic)).filter(chosen.visit),
    facts: facts.filter(chosen.fact),
    credited: (query.attribution === "first" ? facts.map(touched) : facts).filter(chosen.fact),
    matches: chosen.event,
    activity: inRange.filter(({ traffic }) => counts(traffic)).filter(chosen.activity),
    everything,
    titles,
    imported: importedIn(range, query, known, everything),
    known,
    query,
  };
}

/**
 * Returns the buckets of a range. A bucket begins with the range, and wherever the local time shows a new date, week,
 * month, hour or minute. Found by reading the clock again and again.
 */
export function bucketsOf(range: Range, interval: Interval): OracleBucket[] {
  const { zone, start, end } = range;
  // At midnight, the comparison with a day that has just begun is empty.
  const starts: number[] = start < end ? [start] : [];
  if (interval === "minute" || interval === "hour") {
    const step = interval === "minute" ? MINUTE : QUARTER;
    let shown = wall(start, zone);
    for (let at = start + step; at < end; at += step) {
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

/** Returns whether a day, week or month begins with a date. */
const begins = (date: string, interval: Interval): boolean =>
  interval === "week" ? weekday(date) === 0 : interval !== "month" || date.endsWith("-01");

export interface OracleBucket {
  start: number;
  end: number;
  label: string;
  partial: boolean;
}

/** Returns the default interval of a range; a comparison of another length than the query's range has its own. */
export function naturalInterval(range: Range, query: Query): Interval {
  const byHours = !query.from && query.period === "24h" && range.earlier !== null;
  const count = byHours ? 1 : daysBetween(range.from, range.to) + 1;
  if (count <= 2) return "hour";
  if (count <= 120) return "day";
  return count <= 366 ? "week" : "month";
}
