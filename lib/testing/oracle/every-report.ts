import fc from "fast-check";
import type { BreakdownKey } from "@/lib/analytics/query/dimensions";
import { INTERVALS } from "@/lib/contract/fields";
import { OUTCOMES, type Outcome } from "@/lib/contract/vocabulary";
import ai from "@/lib/operations/analytics.ai";
import campaigns from "@/lib/operations/analytics.campaigns";
import changes from "@/lib/operations/analytics.changes";
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
import reports from "@/lib/operations/analytics.reports";
import retention from "@/lib/operations/analytics.retention";
import seo from "@/lib/operations/analytics.seo";
import siteSearch from "@/lib/operations/analytics.site_search";
import vitals from "@/lib/operations/analytics.vitals";
import { DAY_MS } from "@/lib/platform/durations";
import * as acquisition from "@/lib/testing/oracle/acquisition";
import { ai as rightAi } from "@/lib/testing/oracle/ai";
import { reportCheck } from "@/lib/testing/oracle/check";
import { daysBetween } from "@/lib/testing/oracle/clock";
import { commerce as rightCommerce } from "@/lib/testing/oracle/commerce";
import { changesQuery, changes as rightChanges } from "@/lib/testing/oracle/contributions";
import * as experimentsOracle from "@/lib/testing/oracle/experiments";
import { funnelDetails } from "@/lib/testing/oracle/funnel-details";
import { AD_HOC, FUNNELS, funnels as rightFunnels } from "@/lib/testing/oracle/funnels";
import { heatmap as rightHeatmap } from "@/lib/testing/oracle/heatmap";
import { normalised, journeys as rightJourneys, STARTS } from "@/lib/testing/oracle/journeys";
import { metricNames } from "@/lib/testing/oracle/metrics";
import { normalised as normalisedOptions, options } from "@/lib/testing/oracle/options";
import { dimensionKeys } from "@/lib/testing/oracle/query-generator";
import * as live from "@/lib/testing/oracle/realtime";
import * as right from "@/lib/testing/oracle/reports";
import { reportsWithData } from "@/lib/testing/oracle/reports-with-data";
import { retention as rightRetention, supportsQuery } from "@/lib/testing/oracle/retention";
import { searches } from "@/lib/testing/oracle/searches";
import { seo as rightSeo } from "@/lib/testing/oracle/seo";
import { vitals as rightVitals } from "@/lib/testing/oracle/vitals";

/** Every report with its random queries and its expected answer. Each call starts a new tally. */

const chosenGoal = fc.constantFrom(
  "Signup",
  "Uses a plan",
  "Joined",
  "Has a look",
  "Buys",
  "Nothing",
  undefined,
  undefined,
);

const attribution = fc.constantFrom("first" as const, undefined);

const overviewCheck = () =>
  reportCheck({ operation: overview, own: fc.record({ goal: chosenGoal, attribution }), expected: right.overview });

const chartCheck = () =>
  reportCheck({
    operation: chart,
    own: fc.record({ interval: fc.constantFrom(...INTERVALS, undefined), goal: chosenGoal, attribution }),
    // Long ranges, also those compared with, have too many minutes or hours.
    supports: (query, { start, end }) => {
      const { compare_from, compare_to } = query as { compare_from?: string; compare_to?: string };
      const comparedDays = compare_from && compare_to ? daysBetween(compare_from, compare_to) + 1 : 0;
      const limitMinutes =
        { minute: 25 * 60, hour: 5 * 24 * 60 }[query.interval as "minute"] ?? Number.POSITIVE_INFINITY;
      return Math.max((end - start) / 60_000, comparedDays * 24 * 60) <= limitMinutes;
    },
    expected: right.chart,
  });

const outcomeNames = Object.keys(OUTCOMES) as Outcome[];
const property = fc.constantFrom<BreakdownKey>("prop:plan", "prop:seats", "prop:beta", "prop:order_id");

const exploreQuery = fc
  .record({
    metrics: fc.uniqueArray(
      fc.oneof(
        { weight: 2, arbitrary: fc.constantFrom(...metricNames) },
        { weight: 1, arbitrary: fc.constantFrom(...outcomeNames) },
      ),
      { minLength: 1, maxLength: 4 },
    ),
    goal: chosenGoal,
    attribution,
    dimensions: fc.uniqueArray(
      fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom<BreakdownKey>(...dimensionKeys) },
        { weight: 1, arbitrary: property },
      ),
      { maxLength: 3 },
    ),
    order: fc.option(fc.tuple(fc.nat(), fc.boolean())),
    limit: fc.constantFrom(1, 3, 100),
    page: fc.constantFrom(1, 1, 2),
  })
  .filter(({ metrics, dimensions }) => right.fits(metrics, dimensions))
  .map(({ order, goal, ...query }) => {
    const name = order && query.metrics[order[0] % query.metrics.length];
    const converts = query.metrics.some((one) => one.startsWith("conversion"));
    return { ...query, ...(converts && { goal }), ...(name && { sort: `${order[1] ? "-" : ""}${name}` }) };
  });

const exploreCheck = () =>
  reportCheck({
    operation: explore,
    own: exploreQuery,
    input: ({ metrics, dimensions, ...query }) => ({
      ...query,
      metrics: metrics.join(","),
      dimensions: dimensions.join(","),
    }),
    expected: right.explore,
    comparable: ({ rows, comparison, meta, series, currency, conversions_of }) => ({
      ...{ rows, comparison, truncated: meta.truncated, series, currency, conversions_of },
    }),
  });

const withoutRuleTexts = <Row extends { rules: { rule: string; visits: number }[] }>(row: Row) => ({
  ...row,
  rules: row.rules.map(({ rule, visits }) => ({ rule, visits })),
});

const campaignsCheck = () =>
  reportCheck({
    operation: campaigns,
    own: fc.record({ goal: chosenGoal, attribution }),
    expected: acquisition.campaigns,
    comparable: ({ meta: _, channels, comparison, ...answer }) => ({
      ...answer,
      channels: channels.map(withoutRuleTexts),
      comparison: comparison && {
        ...comparison,
        channels: comparison.channels.map((row) => row && withoutRuleTexts(row)),
      },
    }),
  });

const changesCheck = () =>
  reportCheck({
    operation: changes,
    own: changesQuery,
    input: ({ dimensions, ...query }) => ({ ...query, dimensions: dimensions.join(",") }),
    // It is a report of a comparison.
    supports: ({ compare, compare_from }) =>
      compare_from !== undefined || (compare !== undefined && compare !== "none"),
    expected: rightChanges,
    comparable: ({ currency, total: { sentence: _, ...total }, findings, dimensions }) => ({
      currency,
      total,
      findings: findings.map(({ sentence: _, query: __, ...finding }) => finding),
      dimensions,
    }),
  });

const event = fc.option(fc.constantFrom("Signup", "Play", "Search", "purchase", "refund", "Nothing"), {
  nil: undefined,
});

const eventsCheck = () => reportCheck({ operation: events, own: fc.record({ event }), expected: acquisition.events });

const realtimeCheck = () =>
  reportCheck({
    operation: realtime,
    own: fc.constant({}),
    hasOwnRange: true,
    expected: (query, known) => {
      const { events, ...answer } = live.realtime(query, known) as { events: object[] };
      return { ...answer, events: live.sorted(events) };
    },
    comparable: ({ meta: _, cursor: __, events, ...answer }) => ({ ...answer, events: live.sorted(events) }),
  });

const funnelsCheck = () =>
  reportCheck({
    operation: funnels,
    own: fc.record({ funnel: fc.constantFrom(undefined, ...Object.keys(AD_HOC)) }),
    expected: rightFunnels,
    comparable: (data) => ({ funnels: data.funnels.map(({ funnel_id: _, ...funnel }) => funnel) }),
  });

const named = fc.constantFrom(...FUNNELS.map(({ name }) => name), ...Object.keys(AD_HOC));
const funnel = fc.option(named, { nil: undefined, freq: 1 });
const start = fc.option(fc.constantFrom(...Object.keys(STARTS)), { nil: undefined, freq: 1 });

const funnelsAdvancedCheck = () =>
  reportCheck({
    operation: funnelsAdvanced,
    own: fc.record({ funnel }),
    expected: funnelDetails,
    comparable: (data) => ({ funnels: data.funnels.map(({ funnel_id: _, ...funnel }) => funnel) }),
  });

const heatmapCheck = () =>
  reportCheck({
    operation: heatmap,
    own: fc.constant({}),
    // The oracle loops over each hour of the range.
    supports: (_, { start, end }) => (end - start) / DAY_MS <= 130,
    expected: rightHeatmap,
  });

const journeysCheck = () =>
  reportCheck({
    operation: journeys,
    own: fc.record({ funnel, start }),
    expected: rightJourneys,
    comparable: ({ start, events, journeys, comparison }) => ({
      start,
      events,
      journeys: journeys.map(normalised),
      comparison: comparison?.map(normalised) ?? null,
    }),
  });

const siteSearchCheck = () =>
  reportCheck({ operation: siteSearch, own: fc.record({ goal: chosenGoal }), expected: searches });

type ExperimentAnswer = Parameters<typeof experimentsOracle.checkStatistics>[0];

/** Checks the statistics of an experiment. @returns its other fields. */
function withoutStatistics<One extends ExperimentAnswer>(one: One) {
  experimentsOracle.checkStatistics(one);
  const { ended_at, sample_ratio, enough_data, missing, truncated, variants, ...rest } = one as One &
    Record<string, unknown>;
  return {
    ...rest,
    variants: (variants as ExperimentAnswer["variants"]).map(
      ({ lift_interval, probability_best, expected_loss, ...variant }) => variant,
    ),
  };
}

const experimentsCheck = () =>
  reportCheck({
    operation: experiments,
    own: fc.constant({}),
    expected: experimentsOracle.experiments,
    comparable: (data) => ({
      experiments: data.experiments.map(withoutStatistics),
      comparison: data.comparison?.map((one) => one && withoutStatistics(one)) ?? null,
    }),
  });

const commerceCheck = () =>
  reportCheck({ operation: commerce, own: fc.record({ attribution }), expected: rightCommerce });

const field = fc.oneof(
  fc.constantFrom(...dimensionKeys),
  fc.constantFrom("prop", "prop:plan", "prop:order_id", "prop:currency", "prop:coupon", "goal", "product"),
);
const part = fc.option(fc.constantFrom("a", "O", "/blog"), { nil: undefined, freq: 1 });
const limit = fc.option(fc.constantFrom(1, 3, 100), { nil: undefined, freq: 1 });

const filterOptionsCheck = () =>
  reportCheck({
    operation: filterOptions,
    own: fc.record({ field, q: part, search: part, limit }),
    expected: options,
    comparable: ({ field, options, meta }, known) =>
      normalisedOptions({ field, rows: options, truncated: meta.truncated ?? false }, known),
  });

const retentionCheck = () =>
  reportCheck({
    operation: retention,
    own: fc.record(
      { cohort: fc.constantFrom("day" as const, "week" as const, "month" as const) },
      { requiredKeys: [] },
    ),
    supports: supportsQuery,
    expected: rightRetention,
  });

const reportsCheck = () => reportCheck({ operation: reports, own: fc.constant({}), expected: reportsWithData });

const seoCheck = () =>
  reportCheck({
    operation: seo,
    own: fc.record({ provider: fc.constantFrom(undefined, "all", "google", "bing"), goal: chosenGoal }),
    expected: rightSeo,
  });

const aiCheck = () => reportCheck({ operation: ai, own: fc.record({ goal: chosenGoal }), expected: rightAi });

const vitalsCheck = () => reportCheck({ operation: vitals, own: fc.constant({}), expected: rightVitals });

export const REPORTS = {
  ai: aiCheck,
  campaigns: campaignsCheck,
  changes: changesCheck,
  chart: chartCheck,
  commerce: commerceCheck,
  events: eventsCheck,
  experiments: experimentsCheck,
  explore: exploreCheck,
  filterOptions: filterOptionsCheck,
  funnels: funnelsCheck,
  funnelsAdvanced: funnelsAdvancedCheck,
  heatmap: heatmapCheck,
  journeys: journeysCheck,
  overview: overviewCheck,
  realtime: realtimeCheck,
  reports: reportsCheck,
  retention: retentionCheck,
  seo: seoCheck,
  siteSearch: siteSearchCheck,
  vitals: vitalsCheck,
};
