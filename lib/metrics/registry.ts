import { isMainThread, workerData } from "node:worker_threads";
import { processWide } from "@/lib/process-wide";

/** What this thread counts of itself. To count is one addition; everything else is done when somebody asks. */

/** A metric and its samples. Plain, so that threads can send it to each other. */
export interface Family {
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram";
  samples: { suffix: string; labels: [name: string, value: string][]; value: number }[];
}

interface Metric {
  read(): Family;
}

/** Which thread this is: the one that takes events, the one that writes them, or that of pages. */
export const THREAD: string = isMainThread ? "events" : (workerData?.thread ?? "pages");

const metrics = processWide("metrics", () => new Map<string, Metric>());

function once<T extends Metric>(name: string, make: () => T): T {
  const known = metrics.get(name) ?? make();
  metrics.set(name, known);
  return known as T;
}

export interface Counter extends Metric {
  add(key: string, by?: number): void;
}

/** So many series has one metric at most: a stranger's words must not make it grow. */
const MOST_SERIES = 1_000;
const OTHER = "other";

/**
 * Counts things.
 *
 * @param label several labels are one, with `|` between their names and between their values.
 */
export const counter = (name: string, help: string, label: string): Counter =>
  once(name, () => {
    const counts = new Map<string, number>();
    return {
      add(key, by = 1) {
        const known = counts.get(key);
        if (known !== undefined || counts.size < MOST_SERIES) counts.set(key, (known ?? 0) + by);
        else counts.set(OTHER, (counts.get(OTHER) ?? 0) + by);
      },
      read: () => ({
        name,
        help,
        type: "counter",
        samples: [...counts].map(([key, value]) => ({ suffix: "", labels: labelsOf(label, key), value })),
      }),
    };
  });

export interface Histogram extends Metric {
  observe(value: number, key?: string): void;
}

/** How large things are, in buckets up to each of the bounds; by one label, if it has one. */
export const histogram = (name: string, help: string, bounds: readonly number[], label = ""): Histogram =>
  once(name, () => {
    const series = new Map<string, { counts: number[]; sum: number }>();
    return {
      observe(value, key = "") {
        const one = series.get(key) ?? { counts: new Array(bounds.length + 1).fill(0), sum: 0 };
        series.set(key, one);
        const at = bounds.findIndex((bound) => value <= bound);
        const place = at < 0 ? bounds.length : at;
        one.counts[place] = (one.counts[place] ?? 0) + 1;
        one.sum += value;
      },
      read: () => ({
        name,
        help,
        type: "histogram",
        samples: [...series].flatMap(([key, one]) => bucketsOf(one, bounds, label ? labelsOf(label, key) : [])),
      }),
    };
  });

function bucketsOf(
  { counts, sum }: { counts: number[]; sum: number },
  bounds: readonly number[],
  labels: [string, string][],
): Family["samples"] {
  let value = 0;
  const buckets = [...bounds, "+Inf"].map((bound, index) => {
    value += counts[index] ?? 0;
    return { suffix: "_bucket", labels: [...labels, ["le", `${bound}`] as [string, string]], value };
  });
  return [...buckets, { suffix: "_sum", labels, value: sum }, { suffix: "_count", labels, value }];
}

/** What stands as it does at the moment, by one label; asked when somebody asks. */
export const gauge = (name: string, help: string, label: string, values: () => Record<string, number>): Metric =>
  once(name, () => ({ read: () => gaugeOf(name, help, label, values()) }));

export const gaugeOf = (name: string, help: string, label: string, values: Record<string, number>): Family => ({
  name,
  help,
  type: "gauge",
  samples: Object.entries(values).map(([key, value]) => ({ suffix: "", labels: labelsOf(label, key), value })),
});

const labelsOf = (names: string, key: string): [string, string][] => {
  const values = key.split("|");
  return names.split("|").map((name, index) => [name, values[index] ?? ""]);
};

/** Everything that this thread counts. */
export const readMetrics = (): Family[] => [...metrics.values()].map((metric) => metric.read());
