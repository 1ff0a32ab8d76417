import type { PackedDays } from "@/lib/analytics/packed/chunks";
import type { IdFilters } from "@/lib/analytics/packed/narrowing";
import { Numbering } from "@/lib/analytics/packed/numbering";
import {
  type Asked,
  Counter,
  type Counts,
  mapSums,
  SUMS,
  type Tally,
  TooManyGroups,
} from "@/lib/analytics/packed/tally";
import type { Traffic } from "@/lib/contract/vocabulary";

/** Counts packed days: a question that can be sent to another thread, and what it comes to. */

export interface Task {
  siteId: number;
  traffic: Traffic;
  filters: IdFilters;
  /** Which days. */
  blocks: readonly number[];
  /** Of the days: another once one of them is packed anew. */
  version: string;
  asked: readonly Asked[];
  /** Whether each day is told apart, by its number, instead of by values. */
  daily: boolean;
  /** How many combinations of values are told apart; the usual limit when not given. */
  most?: number | undefined;
}

/**
 * What packed days come to, for each of what is asked, all in one pass.
 *
 * @throws TooManyGroups, and the signal's reason once it is aborted.
 */
export async function count(days: PackedDays, task: Task, signal?: AbortSignal): Promise<Counts[]> {
  const { siteId, traffic, filters, blocks, asked, daily, most } = task;
  const counterOfAll = new Counter(traffic, filters, asked, most);
  const ofDays = new Map<number, Counter>();
  for await (const chunk of days.chunksOf(siteId, blocks, counterOfAll.columns)) {
    signal?.throwIfAborted();
    const counter = daily ? (ofDays.get(chunk.block) ?? new Counter(traffic, filters, asked, most)) : counterOfAll;
    if (daily) ofDays.set(chunk.block, counter);
    counter.count(chunk);
  }
  if (!daily) return counterOfAll.tallies.map(({ counts }) => counts);
  return asked.map((_, index) =>
    together([...ofDays].map(([block, { tallies }]) => ofDay(block, (tallies[index] as Tally).counts))),
  );
}

const ofDay = (block: number, counts: Counts): Counts => ({
  ...counts,
  values: [new Int32Array(counts.size).fill(block)],
});

/**
 * Counts of different days as one. Combinations of several values may stand in it more than once, with a part of their
 * sums each: whoever reads them adds them up by their words anyway.
 */
export function together(all: readonly Counts[]): Counts {
  const parts = all.filter(({ size }) => size > 0);
  const [first] = parts;
  if (parts.length === 1 && first) return first;
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  if (!first || first.values.length < 2) return addedUp(parts, size);
  if (size > MOST_TOGETHER) throw new TooManyGroups();
  const values = first.values.map((_, index) =>
    joined(
      new Int32Array(size),
      parts.map((part) => part.values[index]),
    ),
  );
  const sums = mapSums((name) =>
    joined(
      new Float64Array(size),
      parts.map((part) => part.sums[name]),
    ),
  );
  return { size, values, sums };
}

const MOST_TOGETHER = 1_000_000;

function joined<List extends Int32Array | Float64Array>(whole: List, lists: readonly (List | undefined)[]): List {
  let at = 0;
  for (const list of lists) {
    if (list) whole.set(list, at);
    at += list?.length ?? 0;
  }
  return whole;
}

/** Counts by one value, or by none. */
function addedUp(parts: readonly Counts[], most: number): Counts {
  const ids = new Numbering();
  const sums = mapSums(() => new Float64Array(most));
  for (const { size, values, sums: theirs } of parts) {
    const numbers = Int32Array.from({ length: size }, (_, at) => ids.numberOf(values[0]?.[at] ?? 0));
    for (const name of SUMS) {
      const [sum, list] = [sums[name], theirs[name]];
      for (let at = 0; at < size; at++)
        sum[numbers[at] as number] = (sum[numbers[at] as number] as number) + (list[at] as number);
    }
  }
  const { size } = ids;
  const byNothing = parts.every(({ values }) => values.length === 0);
  return {
    size,
    values: byNothing ? [] : [Int32Array.from({ length: size }, (_, number) => ids.idOf(number))],
    sums: mapSums((name) => sums[name].subarray(0, size)),
  };
}
