import fc from "fast-check";
import { test } from "vitest";
import { INTERVALS } from "@/lib/contract/fields";
import chart from "@/lib/operations/analytics.chart";
import explore from "@/lib/operations/analytics.explore";
import overview from "@/lib/operations/analytics.overview";
import { dimensionKeys } from "@/lib/testing/oracle/asking";
import { agrees } from "@/lib/testing/oracle/check";
import { metricNames } from "@/lib/testing/oracle/metrics";
import * as right from "@/lib/testing/oracle/reports";

/**
 * An independent evaluator counts the raw events of random worlds with plain loops and says what each operation should
 * answer. See lib/testing/oracle: it shares no line with the reports.
 */

const MINUTES = 60_000;

test(
  "the overview is what a plain count of the raw events says",
  async () => {
    await agrees({ operation: overview, own: fc.constant({}), expected: right.overview, worlds: 60 });
  },
  3 * MINUTES,
);

const interval = fc.constantFrom(...INTERVALS, undefined);

test(
  "each bucket of the chart is what a plain count of the raw events says",
  async () => {
    await agrees({
      operation: chart,
      own: fc.record({ interval }),
      // Minutes and hours of long ranges are too many to be told.
      suited: (asked, { start, end }) => {
        const most = { minute: 25 * 60, hour: 5 * 24 * 60 }[asked.interval as "minute"] ?? Number.POSITIVE_INFINITY;
        return (end - start) / 60_000 <= most;
      },
      expected: right.chart,
      worlds: 60,
    });
  },
  3 * MINUTES,
);

const explored = fc
  .record({
    metrics: fc.uniqueArray(fc.constantFrom(...metricNames), { minLength: 1, maxLength: 4 }),
    dimensions: fc.uniqueArray(fc.constantFrom(...dimensionKeys), { maxLength: 3 }),
    order: fc.option(fc.tuple(fc.nat(), fc.boolean())),
    limit: fc.constantFrom(1, 3, 100),
    page: fc.constantFrom(1, 1, 2),
  })
  .filter(({ metrics, dimensions }) => right.fits(metrics, dimensions))
  .map(({ order, ...asked }) => {
    const name = order && asked.metrics[order[0] % asked.metrics.length];
    return { ...asked, ...(name && { sort: `${order[1] ? "-" : ""}${name}` }) };
  });

test(
  "metrics by any dimensions are what a plain count of the raw events says",
  async () => {
    await agrees({
      operation: explore,
      own: explored,
      input: ({ metrics, dimensions, ...asked }) => ({
        ...asked,
        metrics: metrics.join(","),
        dimensions: dimensions.join(","),
      }),
      expected: right.explore,
      told: ({ rows, comparison, meta }) => ({ rows, comparison, truncated: meta.truncated }),
      worlds: 100,
    });
  },
  3 * MINUTES,
);
