import type { DimensionKey } from "@/lib/analytics/query/dimensions";
import { dateAt, midnight, plusDays } from "@/lib/testing/oracle/clock";
import type { Visit } from "@/lib/testing/oracle/facts";
import type { Known, Query, Range } from "@/lib/testing/oracle/query";

/** Imported sums of a day, by a value of one dimension or in total. */
export interface DailySum extends Sums {
  date: string;
  /** Null for the total. */
  key: DimensionKey | null;
  value: string;
}

/** Null is unknown. */
export interface Sums {
  visitors: number;
  visits: number | null;
  bounces: number | null;
  durationMs: number | null;
  pageviews: number | null;
  events: number | null;
}

export interface Imported {
  sums: readonly DailySum[];
  /** The host of imported pages. */
  host: string;
}

/** Returns imported sums of whole days of the range without tracked events. They have human traffic and no filters. */
export function importedIn(range: Range, query: Query, { imported }: Known, everything: readonly Visit[]): DailySum[] {
  const { filters = {}, saved = [], traffic = "human" } = query;
  const isNarrowed = [filters, ...saved].some((all) => Object.keys(all).length > 0);
  if (!imported || isNarrowed || (traffic !== "human" && traffic !== "all")) return [];
  const { zone, start, end } = range;
  const own = new Set(
    everything.flatMap(({ started, facts }) => [started, ...facts.map(({ at }) => at)]).map((at) => dateAt(at, zone)),
  );
  return imported.sums.filter(
    ({ date }) => start <= midnight(date, zone) && midnight(plusDays(date, 1), zone) <= end && !own.has(date),
  );
}

/** Returns all imported values of a dimension, whether or not their days count. */
export function importedValues({ imported }: Known, key: DimensionKey): string[] {
  if (!imported) return [];
  if (key === "hostname") return [imported.host];
  const keys = PAGES.includes(key) ? PAGES : [key];
  return imported.sums.filter((sum) => sum.key !== null && keys.includes(sum.key)).map(({ value }) => value);
}
const PAGES: readonly DimensionKey[] = ["page", "entry_page", "exit_page"];
