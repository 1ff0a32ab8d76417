import type { DimensionKey } from "@/lib/analytics/query/dimensions";
import { dateAt, midnight, plusDays } from "@/lib/testing/oracle/clock";
import type { Visit } from "@/lib/testing/oracle/facts";
import type { Asked, Known, Range } from "@/lib/testing/oracle/query";

/** What another service counted on a day, by a word of one dimension or by none. */
export interface DailySum extends Sums {
  date: string;
  /** null: everything. */
  key: DimensionKey | null;
  word: string;
}

export interface Sums {
  visitors: number;
  visits: number;
  bounces: number;
  durationMs: number;
  pageviews: number;
  events: number;
}

export interface Imported {
  sums: readonly DailySum[];
  /** Pages of the other service are pages of this host. */
  host: string;
}

/** Whole days of the range on which the site counted nothing itself. They know of no filters, and of people alone. */
export function importedIn(range: Range, asked: Asked, { imported }: Known, everything: readonly Visit[]): DailySum[] {
  const { filters = {}, saved = [], traffic = "human" } = asked;
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

/** The words of a dimension that other services told, whether or not their days count. */
export function importedWords({ imported }: Known, key: DimensionKey): string[] {
  if (!imported) return [];
  if (key === "hostname") return [imported.host];
  const told = PAGES.includes(key) ? PAGES : [key];
  return imported.sums.filter((sum) => sum.key !== null && told.includes(sum.key)).map(({ word }) => word);
}
const PAGES: readonly DimensionKey[] = ["page", "entry_page", "exit_page"];
