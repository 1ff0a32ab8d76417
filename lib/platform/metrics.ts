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

/** The metrics of this thread. The main thread adds up what each thread reports at `GET /metrics`. */
const registry = processWide("metrics", () => new Registry());

/** A metric with its samples, as a thread sends it to the main thread. */
export type Family = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>[number];

/** The name of this thread in metrics; workers are given theirs. */
export const THREAD: string = isMainThread ? "main" : (workerData?.thread ?? "worker");

/** Next and the server each load a copy of the module that defines a metric: the second one gets the same metric. */
const once = <T>(name: string, make: () => T): T => processWide(`metric ${name}`, make);

/** Values of labels must come from a closed list: each new one takes memory for as long as the process runs. */
export const counter = <Label extends string>(config: CounterConfiguration<Label>): Counter<Label> =>
  once(config.name, () => new Counter({ ...config, registers: [registry] }));

/** @param config as for `counter`. */
export const histogram = <Label extends string>(config: HistogramConfiguration<Label>): Histogram<Label> =>
  once(config.name, () => new Histogram({ ...config, registers: [registry] }));

/**
 * Reads values when the metrics are read.
 *
 * @param labels names of labels with `|` between them; none for a single value.
 * @param values by the values of the labels, with `|` between them.
 */
export const gauge = (name: string, help: string, labels: string, values: () => Record<string, number>): Gauge =>
  once(name, () => gaugeIn(registry, name, help, labels, values));

/** The same in a registry of its own, for what is not counted by a thread. */
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

/** Everything that this thread counts. */
export const readMetrics = (): Promise<Family[]> => registry.getMetricsAsJSON();
