import fc from "fast-check";
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
import heatmap from "@/lib/operations/analytics.heatmap";
import journeys from "@/lib/operations/analytics.journeys";
import overview from "@/lib/operations/analytics.overview";
import realtime from "@/lib/operations/analytics.realtime";
import retention from "@/lib/operations/analytics.retention";
import seo from "@/lib/operations/analytics.seo";
import siteSearch from "@/lib/operations/analytics.site_search";
import vitals from "@/lib/operations/analytics.vitals";
import * as led from "@/lib/testing/oracle/acquisition";
import { held } from "@/lib/testing/oracle/check";
import { commerce as rightCommerce } from "@/lib/testing/oracle/commerce";
import * as tried from "@/lib/testing/oracle/experiments";
import { funnelDetails } from "@/lib/testing/oracle/funnel-details";
import { FUNNELS, funnels as rightFunnels, WRITTEN } from "@/lib/testing/oracle/funnels";
import { heatmap as rightHeatmap } from "@/lib/testing/oracle/heatmap";
import { journeys as rightJourneys, STARTS, settled } from "@/lib/testing/oracle/journeys";
import { metricNames } from "@/lib/testing/oracle/metrics";
import { options, settled as settledOptions } from "@/lib/testing/oracle/options";
import { dimensionKeys } from "@/lib/testing/oracle/query-generator";
import * as live from "@/lib/testing/oracle/realtime";
import * as right from "@/lib/testing/oracle/reports";
import { canBeAsked, retention as rightRetention } from "@/lib/testing/oracle/retention";
import { searches } from "@/lib/testing/oracle/searches";
import { seo as rightSeo } from "@/lib/testing/oracle/seo";
import { vitals as rightVitals } from "@/lib/testing/oracle/vitals";

/** Every report with the questions that it is asked and the answer that is right. Each call begins a count of its own. */

const overviewHeld = () => held({ operation: overview, own: fc.constant({}), expected: right.overview });

const chartHeld = () =>
  held({
    operation: chart,
    own: fc.record({ interval: fc.constantFrom(...INTERVALS, undefined) }),
    // Minutes and hours of long ranges are too many to be told.
    suited: (asked, { start, end }) => {
      const most = { minute: 25 * 60, hour: 5 * 24 * 60 }[asked.interval as "minute"] ?? Number.POSITIVE_INFINITY;
      return (end - start) / 60_000 <= most;
    },
    expected: right.chart,
  });

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

const exploreHeld = () =>
  held({
    operation: explore,
    own: explored,
    input: ({ metrics, dimensions, ...asked }) => ({
      ...asked,
      metrics: metrics.join(","),
      dimensions: dimensions.join(","),
    }),
    expected: right.explore,
    told: ({ rows, comparison, meta, series }) => ({ rows, comparison, truncated: meta.truncated, series }),
  });

const untold = <Row extends { rules: { rule: string; visits: number }[] }>(row: Row) => ({
  ...row,
  rules: row.rules.map(({ rule, visits }) => ({ rule, visits })),
});

const campaignsHeld = () =>
  held({
    operation: campaigns,
    own: fc.constant({}),
    expected: led.campaigns,
    told: ({ meta: _, channels, comparison, ...answer }) => ({
      ...answer,
      channels: channels.map(untold),
      comparison: comparison && { ...comparison, channels: comparison.channels.map((row) => row && untold(row)) },
    }),
  });

const event = fc.option(fc.constantFrom("Signup", "Play", "Search", "purchase", "refund", "Nothing"), {
  nil: undefined,
});

const eventsHeld = () => held({ operation: events, own: fc.record({ event }), expected: led.events });

const realtimeHeld = () =>
  held({
    operation: realtime,
    own: fc.constant({}),
    expected: (asked, known) => {
      const { events, ...answer } = live.realtime(asked, known) as { events: object[] };
      return { ...answer, events: live.sorted(events) };
    },
    told: ({ meta: _, cursor: __, events, ...answer }) => ({ ...answer, events: live.sorted(events) }),
  });

const funnelsHeld = () =>
  held({
    operation: funnels,
    own: fc.record({ funnel: fc.constantFrom(undefined, ...Object.keys(WRITTEN)) }),
    expected: rightFunnels,
    told: (data) => ({ funnels: data.funnels.map(({ funnel_id: _, ...funnel }) => funnel) }),
  });

const named = fc.constantFrom(...FUNNELS.map(({ name }) => name), ...Object.keys(WRITTEN));
const funnel = fc.option(named, { nil: undefined, freq: 1 });
const start = fc.option(fc.constantFrom(...Object.keys(STARTS)), { nil: undefined, freq: 1 });

const funnelsAdvancedHeld = () =>
  held({
    operation: funnelsAdvanced,
    own: fc.record({ funnel }),
    expected: funnelDetails,
    told: (data) => ({ funnels: data.funnels.map(({ funnel_id: _, ...funnel }) => funnel) }),
  });

const heatmapHeld = () =>
  held({
    operation: heatmap,
    own: fc.constant({}),
    // The oracle looks at each minute of the range.
    suited: (_, { start, end }) => (end - start) / 86_400_000 <= 130,
    expected: rightHeatmap,
  });

const journeysHeld = () =>
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
  });

const siteSearchHeld = () => held({ operation: siteSearch, own: fc.constant({}), expected: searches });

type ExperimentAnswer = Parameters<typeof tried.checkStatistics>[0];

/** Checks the statistics of an experiment. @returns the rest of it. */
function withoutStatistics<One extends ExperimentAnswer>(one: One) {
  tried.checkStatistics(one);
  const { ended_at, sample_ratio, enough_data, missing, truncated, variants, ...told } = one as One &
    Record<string, unknown>;
  return {
    ...told,
    variants: (variants as (ExperimentAnswer["variants"][number] & { lift?: unknown })[]).map(
      ({ lift, lift_interval, probability_best, expected_loss, ...variant }) => variant,
    ),
  };
}

const experimentsHeld = () =>
  held({
    operation: experiments,
    own: fc.constant({}),
    expected: tried.experiments,
    told: (data) => ({
      experiments: data.experiments.map(withoutStatistics),
      comparison: data.comparison?.map((one) => one && withoutStatistics(one)) ?? null,
    }),
  });

const commerceHeld = () => held({ operation: commerce, own: fc.constant({}), expected: rightCommerce });

const field = fc.oneof(
  fc.constantFrom(...dimensionKeys),
  fc.constantFrom("prop", "prop:plan", "prop:order_id", "prop:currency", "prop:coupon", "goal"),
);
const part = fc.option(fc.constantFrom("a", "O", "/blog"), { nil: undefined, freq: 1 });
const limit = fc.option(fc.constantFrom(1, 3, 100), { nil: undefined, freq: 1 });

const filterOptionsHeld = () =>
  held({
    operation: filterOptions,
    own: fc.record({ field, q: part, search: part, limit }),
    expected: options,
    told: ({ field, options, meta }) => settledOptions(field, options, meta.truncated ?? false),
  });

const retentionHeld = () =>
  held({ operation: retention, own: fc.constant({}), suited: canBeAsked, expected: rightRetention });

const seoHeld = () =>
  held({
    operation: seo,
    own: fc.record({ provider: fc.constantFrom(undefined, "all", "google", "bing") }),
    expected: rightSeo,
  });

const vitalsHeld = () => held({ operation: vitals, own: fc.constant({}), expected: rightVitals });

export const REPORTS = {
  campaigns: campaignsHeld,
  chart: chartHeld,
  commerce: commerceHeld,
  events: eventsHeld,
  experiments: experimentsHeld,
  explore: exploreHeld,
  filterOptions: filterOptionsHeld,
  funnels: funnelsHeld,
  funnelsAdvanced: funnelsAdvancedHeld,
  heatmap: heatmapHeld,
  journeys: journeysHeld,
  overview: overviewHeld,
  realtime: realtimeHeld,
  retention: retentionHeld,
  seo: seoHeld,
  siteSearch: siteSearchHeld,
  vitals: vitalsHeld,
};
