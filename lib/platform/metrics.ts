import { isMainThread, workerData } from "node:worker_threads";
import {
  Counter,
  type CounterConfiguration,
  Gauge,
  Histogram,
  type HistogramConfiguration,
  Registry,
} from "prom-client";
import { processWide } from "@/lib/platform/process-wide";

/** The metrics of this thread. The main thread sums the metrics of all threads at `GET /metrics`. */
const registry = processWide("metrics", () => new Registry());

/** A metric with its samples, as a thread sends it to the main thread. */
export type Family = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>[number];

/** The name of this thread in metrics; workers get theirs as `workerData`. */
export const THREAD: string = isMainThread ? "main" : (workerData?.thread ?? "worker");

/** Creates a metric once, although Next and the server each load a copy of the module that defines it. */
const once = <T>(name: string, make: () => T): T => processWide(`metric ${name}`, make);

/**
 * Creates a counter. Label values must come from a closed list, because each one uses memory for the life of the
 * process.
 */
export const counter = <Label extends string>(config: CounterConfiguration<Label>): Counter<Label> =>
  once(config.name, () => new Counter({ ...config, registers: [registry] }));

/** Creates a histogram. Label values must come from a closed list, as for `counter`. */
export const histogram = <Label extends string>(config: HistogramConfiguration<Label>): Histogram<Label> =>
  once(config.name, () => new Histogram({ ...config, registers: [registry] }));

/**
 * Creates a gauge whose values are computed when the metrics are read.
 *
 * @param labels label names separated by `|`; empty for a single value.
 * @param values values by label values separated by `|`.
 */
export const gauge = (name: string, help: string, labels: string, values: () => Record<string, number>): Gauge =>
  once(name, () => gaugeIn(registry, name, help, labels, values));

/** Like `gauge`, in the given registry, for metrics that belong to no thread. */
export const gaugeIn = (
  into: Registry,
  name: string,
  help: string,
  labels: string,
  values: () => Record<string, number>,
): Gauge =>
  new Gauge({
    name,
    help,
    labelNames: labels.split("|").filter(Boolean),
    registers: [into],
    collect() {
      this.reset();
      for (const [key, value] of Object.entries(values())) this.labels(...key.split("|").filter(Boolean)).set(value);
    },
  });

/** Returns all metrics of this thread. */
export const readMetrics = (): Promise<Family[]> => registry.getMetricsAsJSON();
