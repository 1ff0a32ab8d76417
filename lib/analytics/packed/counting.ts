import type { PackedDays } from "@/lib/analytics/packed/chunks";
import type { IdFilters } from "@/lib/analytics/packed/narrowing";
import { Numbering } from "@/lib/analytics/packed/numbering";
import { type Asked, Counter, type Counts, mapSums, TooManyGroups } from "@/lib/analytics/packed/tally";
import type { Traffic } from "@/lib/contract/vocabulary";

/** Counts packed days: a question that can be sent to another thread, and what it comes to. */

export interface Task {
  siteId: number;
  traffic: Traffic;
  filters: IdFilters;
  /** Which days. */
  blocks: readonly number[];
  asked: readonly Asked[];
  /** Whether each day is told apart, by its number, instead of by values. */
  daily: boolean;
}

/**
 * What packed days come to, for each of what is asked, all in one pass.
 *
 * @throws TooManyGroups, and the signal's reason once it is aborted.
 */
export async function count(days: PackedDays, task: Task, signal?: AbortSignal): Promise<Counts[]> {
  const { siteId, traffic, filters, blocks, asked, daily } = task;
  const counters = new Map<number, Counter>();
  const counterOf = (block: number): Counter => {
    const known = counters.get(daily ? block : 0) ?? new Counter(traffic, filters, asked);
    counters.set(daily ? block : 0, known);
    return known;
  };
  const { columns } = new Counter(traffic, filters, asked);
  for await (const chunk of days.chunksOf(siteId, blocks, columns)) {
    signal?.throwIfAborted();
    counterOf(chunk.block).count(chunk);
  }
  const counts = [...counters].map(([block, { tallies }]) =>
    tallies.map((tally) => (daily ? ofDay(block, tally.counts) : tally.counts)),
  );
  return asked.map((_, index) => together(counts.map((parts) => parts[index] as Counts)));
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
    mapSums((name) => {
      const [sum, list] = [sums[name], theirs[name]];
      for (let at = 0; at < size; at++)
        sum[numbers[at] as number] = (sum[numbers[at] as number] as number) + (list[at] as number);
      return sum;
    });
  }
  const { size } = ids;
  const byNothing = parts.every(({ values }) => values.length === 0);
  return {
    size,
    values: byNothing ? [] : [Int32Array.from({ length: size }, (_, number) => ids.idOf(number))],
    sums: mapSums((name) => sums[name].subarray(0, size)),
  };
}
