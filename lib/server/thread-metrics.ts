import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import { gauge, THREAD } from "@/lib/platform/metrics";

const SAMPLE_MS = 20;

/** Starts to measure the event loop and the heap of this thread. */
export function measureThread(): void {
  const lag: IntervalHistogram = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  lag.enable();
  gauge(
    "footfall_event_loop_lag_seconds",
    "Event loop delay of the thread since the last scrape.",
    "thread|quantile",
    () => {
      // The histogram includes the sampling interval.
      const late = (quantile: number) => Math.max(0, lag.percentile(quantile * 100) / 1e9 - SAMPLE_MS / 1000);
      const values = { [`${THREAD}|0.5`]: late(0.5), [`${THREAD}|0.99`]: late(0.99) };
      lag.reset();
      return values;
    },
  );
  gauge("footfall_heap_bytes", "Used JavaScript heap of the thread.", "thread", () => ({
    [THREAD]: process.memoryUsage().heapUsed,
  }));
}
