import fc from "fast-check";
import { test } from "vitest";
import { INTERVALS } from "@/lib/contract/fields";
import campaigns from "@/lib/operations/analytics.campaigns";
import chart from "@/lib/operations/analytics.chart";
import commerce from "@/lib/operations/analytics.commerce";
import events from "@/lib/operations/analytics.events";
import experiments from "@/lib/operations/analytics.experiments";
import explore from "@/lib/operations/analytics.explore";
import filterOptions from "@/lib/operations/analytics.filter_options";
import funnels from "@/lib/operations/analytics.funnels";
import funnelsAdvanced from "@/lib/operations/analytics.funnels.advanced";
import journeys from "@/lib/operations/analytics.journeys";
import overview from "@/lib/operations/analytics.overview";
import realtime from "@/lib/operations/analytics.realtime";
import retention from "@/lib/operations/analytics.retention";
import seo from "@/lib/operations/analytics.seo";
import siteSearch from "@/lib/operations/analytics.site_search";
import vitals from "@/lib/operations/analytics.vitals";
import { dimensionKeys } from "@/lib/testing/oracle/asking";
import { agrees, allAgree, held } from "@/lib/testing/oracle/check";
import { commerce as rightCommerce } from "@/lib/testing/oracle/commerce";
import { EXPERIMENTS, VARIANTS } from "@/lib/testing/oracle/deeds";
import * as tried from "@/lib/testing/oracle/experiments";
import { funnelDetails } from "@/lib/testing/oracle/funnel-details";
import { FUNNELS, funnels as rightFunnels, WRITTEN } from "@/lib/testing/oracle/funnels";
import { playing, journeys as rightJourneys, STARTS, settled } from "@/lib/testing/oracle/journeys";
import * as led from "@/lib/testing/oracle/led";
import * as live from "@/lib/testing/oracle/live";
import { metricNames } from "@/lib/testing/oracle/metrics";
import { options, settled as settledOptions } from "@/lib/testing/oracle/options";
import * as right from "@/lib/testing/oracle/reports";
import { canBeAsked, returning, retention as rightRetention } from "@/lib/testing/oracle/retention";
import { searches } from "@/lib/testing/oracle/searches";
import { seo as rightSeo } from "@/lib/testing/oracle/seo";
import { shopping } from "@/lib/testing/oracle/shopping";
import { measuring, vitals as rightVitals } from "@/lib/testing/oracle/vitals";
import { reshaped } from "@/lib/testing/oracle/world";

/**
 * An independent evaluator counts the raw events of random worlds with plain loops and says what each operation should
 * answer. See lib/testing/oracle: it shares no line with the reports.
 */

/** They take half a minute; a failure is told as a small world after another minute. */
const MINUTES = 60_000;

const interval = fc.constantFrom(...INTERVALS, undefined);

test(
  "the overview and each bucket of the chart are what a plain count of the raw events says",
  async () => {
    await allAgree(
      [
        held({ operation: overview, own: fc.constant({}), expected: right.overview }),
        held({
          operation: chart,
          own: fc.record({ interval }),
          // Minutes and hours of long ranges are too many to be told.
          suited: (asked, { start, end }) => {
            const most = { minute: 25 * 60, hour: 5 * 24 * 60 }[asked.interval as "minute"] ?? Number.POSITIVE_INFINITY;
            return (end - start) / 60_000 <= most;
          },
          expected: right.chart,
        }),
      ],
      { worlds: 32 },
    );
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
      worlds: 25,
    });
  },
  3 * MINUTES,
);

const untold = <Row extends { rules: { rule: string; visits: number }[] }>(row: Row) => ({
  ...row,
  rules: row.rules.map(({ rule, visits }) => ({ rule, visits })),
});

const event = fc.option(fc.constantFrom("Signup", "Play", "Search", "purchase", "refund", "Nothing"), {
  nil: undefined,
});

test(
  "campaigns, channels, events, goals and one event from near are what a plain count of the raw events says",
  async () => {
    await allAgree(
      [
        held({
          operation: campaigns,
          own: fc.constant({}),
          expected: led.campaigns,
          told: ({ meta: _, channels, comparison, ...answer }) => ({
            ...answer,
            channels: channels.map(untold),
            comparison: comparison && { ...comparison, channels: comparison.channels.map((row) => row && untold(row)) },
          }),
        }),
        held({ operation: events, own: fc.record({ event }), expected: led.events }),
      ],
      { worlds: 25 },
    );
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
      shape: live.lately,
      worlds: 25,
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
      worlds: 25,
    });
  },
  5 * MINUTES,
);

test(
  "what funnels tell in depth, and the ways of visits, are what plain loops over chains and visits find",
  async () => {
    const named = fc.constantFrom(...FUNNELS.map(({ name }) => name), ...Object.keys(WRITTEN));
    const funnel = fc.option(named, { nil: undefined, freq: 1 });
    const start = fc.option(fc.constantFrom(...Object.keys(STARTS)), { nil: undefined, freq: 1 });
    await allAgree(
      [
        held({
          operation: funnelsAdvanced,
          own: fc.record({ funnel }),
          expected: funnelDetails,
          told: (data) => ({ funnels: data.funnels.map(({ funnel_id: _, ...funnel }) => funnel) }),
        }),
        held({
          operation: journeys,
          own: fc.record({ funnel, start }),
          expected: rightJourneys,
          told: ({ start, events, journeys, comparison }) => ({
            start,
            events,
            journeys: journeys.map(settled),
            comparison: comparison?.map(settled) ?? null,
          }),
        }),
      ],
      { shape: playing, worlds: 20 },
    );
  },
  5 * MINUTES,
);

test(
  "searches and what followed them are what plain loops over each visit find",
  async () => {
    const terms = [{ term: "shoes" }, { term: "Shoes", results: 0 }, { term: "hats", results: 12 }];
    await agrees({
      operation: siteSearch,
      own: fc.constant({}),
      shape: (world) =>
        reshaped(world, (event, index) =>
          index % 3 === 0 ? { ...event, type: "event", name: "Search", props: terms[(index % 7) % 3] ?? null } : event,
        ),
      expected: searches,
      worlds: 20,
    });
  },
  5 * MINUTES,
);

test(
  "experiments count whom plain loops find, and their statistics are those of a fine grid",
  async () => {
    type Told = Parameters<typeof tried.checkStatistics>[0];
    const plain = <One extends Told>(one: One) => {
      tried.checkStatistics(one);
      const { ended_at, sample_ratio, enough_data, missing, truncated, variants, ...told } = one as One &
        Record<string, unknown>;
      return {
        ...told,
        variants: (variants as (Told["variants"][number] & { lift?: unknown })[]).map(
          ({ lift, lift_interval, probability_best, expected_loss, ...variant }) => variant,
        ),
      };
    };
    await agrees({
      operation: experiments,
      own: fc.constant({}),
      shape: (world) =>
        reshaped(world, (event, index) => {
          if (index % 2) return event;
          const variant = VARIANTS[event.who.charCodeAt(1) % 3];
          return { ...event, type: "exposure", name: EXPERIMENTS[index % 4 ? 0 : 1] ?? null, props: { variant } };
        }),
      expected: tried.experiments,
      told: (data) => ({
        experiments: data.experiments.map(plain),
        comparison: data.comparison?.map((one) => one && plain(one)) ?? null,
      }),
      worlds: 20,
    });
  },
  5 * MINUTES,
);

test(
  "sales, refunds and products, and the values that filters may be given, are what plain sums over the events say",
  async () => {
    const field = fc.oneof(
      fc.constantFrom(...dimensionKeys),
      fc.constantFrom("prop", "prop:plan", "prop:order_id", "prop:currency", "prop:coupon", "goal"),
    );
    const part = fc.option(fc.constantFrom("a", "O", "/blog"), { nil: undefined, freq: 1 });
    const limit = fc.option(fc.constantFrom(1, 3, 100), { nil: undefined, freq: 1 });
    await allAgree(
      [
        held({ operation: commerce, own: fc.constant({}), expected: rightCommerce }),
        held({
          operation: filterOptions,
          own: fc.record({ field, q: part, search: part, limit }),
          expected: options,
          told: ({ field, options, meta }) => settledOptions(field, options, meta.truncated ?? false),
        }),
      ],
      { shape: shopping, worlds: 24 },
    );
  },
  5 * MINUTES,
);

test(
  "who comes back, and whom search engines and assistants led here, is what plain loops over people and visits find",
  async () => {
    await allAgree(
      [
        held({ operation: retention, own: fc.constant({}), suited: canBeAsked, expected: rightRetention }),
        held({
          operation: seo,
          own: fc.record({ provider: fc.constantFrom(undefined, "all", "google", "bing") }),
          expected: rightSeo,
        }),
      ],
      { shape: returning, worlds: 24 },
    );
  },
  5 * MINUTES,
);

test(
  "vitals are what plain loops over the reports of each page view find",
  async () => {
    await agrees({ operation: vitals, own: fc.constant({}), shape: measuring, expected: rightVitals, worlds: 12 });
  },
  5 * MINUTES,
);
