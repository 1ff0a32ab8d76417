import fc from "fast-check";
import { test } from "vitest";
import { INTERVALS } from "@/lib/contract/fields";
import campaigns from "@/lib/operations/analytics.campaigns";
import chart from "@/lib/operations/analytics.chart";
import events from "@/lib/operations/analytics.events";
import explore from "@/lib/operations/analytics.explore";
import funnels from "@/lib/operations/analytics.funnels";
import overview from "@/lib/operations/analytics.overview";
import realtime from "@/lib/operations/analytics.realtime";
import { dimensionKeys } from "@/lib/testing/oracle/asking";
import { agrees } from "@/lib/testing/oracle/check";
import { funnels as rightFunnels, WRITTEN } from "@/lib/testing/oracle/funnels";
import * as led from "@/lib/testing/oracle/led";
import * as live from "@/lib/testing/oracle/live";
import { metricNames } from "@/lib/testing/oracle/metrics";
import * as right from "@/lib/testing/oracle/reports";

/**
 * An independent evaluator counts the raw events of random worlds with plain loops and says what each operation should
 * answer. See lib/testing/oracle: it shares no line with the reports.
 */

/** They take half a minute; a failure is told as a small world after another minute. */
const MINUTES = 60_000;

test(
  "the overview is what a plain count of the raw events says",
  async () => {
    await agrees({ operation: overview, own: fc.constant({}), expected: right.overview, worlds: 50 });
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
      worlds: 80,
    });
  },
  3 * MINUTES,
);

const untold = <Row extends { rules: { rule: string; visits: number }[] }>(row: Row) => ({
  ...row,
  rules: row.rules.map(({ rule, visits }) => ({ rule, visits })),
});

test(
  "campaigns and channels are what a plain count of the raw events says",
  async () => {
    await agrees({
      operation: campaigns,
      own: fc.constant({}),
      expected: led.campaigns,
      told: ({ meta: _, channels, comparison, ...answer }) => ({
        ...answer,
        channels: channels.map(untold),
        comparison: comparison && { ...comparison, channels: comparison.channels.map((row) => row && untold(row)) },
      }),
      worlds: 30,
    });
  },
  3 * MINUTES,
);

const event = fc.option(fc.constantFrom("Signup", "Play", "Search", "purchase", "refund", "Nothing"), {
  nil: undefined,
});

test(
  "events, goals and one event from near are what a plain count of the raw events says",
  async () => {
    await agrees({ operation: events, own: fc.record({ event }), expected: led.events, worlds: 40 });
  },
  3 * MINUTES,
);

test(
  "who is there now is what a plain count of the raw events says",
  async () => {
    await agrees({
      operation: realtime,
      own: fc.constant({}),
      expected: (asked, known) => {
        const { events, ...answer } = live.realtime(asked, known) as { events: object[] };
        return { ...answer, events: live.sorted(events) };
      },
      told: ({ meta: _, cursor: __, events, ...answer }) => ({ ...answer, events: live.sorted(events) }),
      worlds: 40,
    });
  },
  3 * MINUTES,
);

test(
  "funnels count the longest chains that plain loops over the raw events find",
  async () => {
    await agrees({
      operation: funnels,
      own: fc.record({ funnel: fc.constantFrom(undefined, ...Object.keys(WRITTEN)) }),
      expected: rightFunnels,
      told: (data) => ({ funnels: data.funnels.map(({ funnel_id: _, ...funnel }) => funnel) }),
      worlds: 40,
    });
  },
  5 * MINUTES,
);
