import { z } from "zod";
import { scopeOf } from "@/lib/analytics/query/scope";
import { seriesOf, seriesShape, trendOf } from "@/lib/analytics/reports/trend";
import {
  BREAKDOWNS,
  type Breakdown,
  breakdownKeys,
  FLOOR,
  VITALS,
  type VitalKey,
  type VitalsBucket,
  type VitalsRow,
  vitalKeys,
  vitalsAmong,
  vitalsOf,
} from "@/lib/analytics/reports/vitals";
import { defineOperation } from "@/lib/contract/define";
import { about, metaShape, reportFields, untrusted } from "@/lib/contract/fields";

const MAX_ROWS = 20;

const share = z.number().min(0).max(1).nullable();
const fieldsOf = <Key extends string, Shape extends z.ZodType>(keys: readonly Key[], shape: (key: Key) => Shape) =>
  Object.fromEntries(keys.map((key) => [key, shape(key)])) as Record<Key, Shape>;

/** Percentiles as examples, in the order of p50, p75, p90 and p99. */
const EXAMPLES: Record<VitalKey, readonly number[]> = {
  lcp: [1410, 1840, 2630, 4820],
  inp: [64, 96, 180, 410],
  cls: [0.02, 0.04, 0.08, 0.21],
  fcp: [820, 1120, 1630, 2900],
  ttfb: [110, 180, 340, 900],
};
const percentile = (key: VitalKey, index: number) =>
  z
    .number()
    .nullable()
    .meta({ examples: [EXAMPLES[key][index] ?? null] });

const vitalShape = (key: VitalKey) => {
  const { about: what, good, poor } = VITALS[key];
  return z
    .object({
      samples: about(z.int(), "Pageviews that reported it", 402),
      enough_data: about(
        z.boolean(),
        `Whether there are at least ${FLOOR} samples; if not, percentiles and shares are null`,
        true,
      ),
      p50: percentile(key, 0),
      p75: percentile(key, 1),
      p90: percentile(key, 2),
      p99: percentile(key, 3),
      good: about(share, `Share of samples up to ${good}`, 0.82),
      needs_improvement: about(share, `Share of samples above ${good} and up to ${poor}`, 0.12),
      poor: about(share, `Share of samples above ${poor}`, 0.06),
    })
    .meta({ description: what });
};
const metricFields = {
  views: about(z.int(), "Pageviews that reported any vital", 402),
  ...fieldsOf(vitalKeys, vitalShape),
};
const overallShape = z.object(metricFields);
const rowShape = z.object({ value: untrusted.nullable().meta({ examples: ["/pricing"] }), ...metricFields });

export default defineOperation({
  id: "analytics.vitals",
  title: "Web vitals",
  about:
    "Core Web Vitals of pageviews: exact percentiles (interpolated as in percentile_cont) and shares by Google's thresholds, overall and by page, device, country and browser. The last values that a pageview reports count.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject(reportFields),
  example: { site_id: 1, period: "28d", filters: { device: "Mobile" } },
  output: z.object({
    meta: metaShape,
    floor: about(z.int(), "Minimum number of samples for percentiles and shares", FLOOR),
    overall: overallShape,
    ...fieldsOf(breakdownKeys, (key) =>
      about(z.array(rowShape), `By ${BREAKDOWNS[key]}, most pageviews first; null means unknown`),
    ),
    comparison: about(
      z.object({ overall: overallShape, ...fieldsOf(breakdownKeys, () => z.array(rowShape.nullable())) }).nullable(),
      "The comparison range: one row for each row above, null if it has no such row",
    ),
    series: seriesShape(
      {
        views: metricFields.views.meta({ examples: [21] }),
        ...fieldsOf(vitalKeys, (key) =>
          about(percentile(key, 1), `The 75th percentile of ${VITALS[key].label}; null below ${FLOOR} samples`),
        ),
      },
      "The range in buckets; a pageview counts when it reported last",
    ),
  }),

  async run({ input, site, now }) {
    const { scope, before, meta } = await scopeOf(input, site, now);
    const trend = trendOf(scope, now);
    const { rows: found, buckets } = await vitalsOf(scope, MAX_ROWS + 1, trend);
    const rows = breakdownsOf((key) => found.filter(({ part }) => part === key));
    const shown = breakdownsOf((key) => rows[key].slice(0, MAX_ROWS));
    const values = breakdownsOf((key) => shown[key].map(({ value }) => value));
    const earlier = before && (await vitalsAmong(before, values));
    const matchingRow = (key: Breakdown, value: string | null) =>
      earlier?.find((row) => row.part === key && row.value === value) ?? null;
    const truncated = breakdownKeys.some((key) => rows[key].length > MAX_ROWS);
    return {
      meta: { ...meta, interval: trend.interval, row_limit: MAX_ROWS, truncated },
      floor: FLOOR,
      overall: overallOf(found),
      ...breakdownsOf((key) => shown[key].map(rowOf)),
      comparison: earlier && {
        overall: overallOf(earlier),
        ...breakdownsOf((key) =>
          values[key].map((value) => {
            const row = matchingRow(key, value);
            return row && rowOf(row);
          }),
        ),
      },
      series: seriesOf(trend, (index) => bucketOf(buckets.find(({ bucket }) => bucket === index))),
    };
  },
});

const breakdownsOf = <Value>(make: (key: Breakdown) => Value) =>
  Object.fromEntries(breakdownKeys.map((key) => [key, make(key)])) as Record<Breakdown, Value>;

function bucketOf(found: VitalsBucket | undefined) {
  const p75 = (key: VitalKey) => {
    const value = found?.p75[key] ?? null;
    return value === null || (found?.samples[key] ?? 0) < FLOOR ? null : rounded(value);
  };
  const values = Object.fromEntries(vitalKeys.map((key) => [key, p75(key)])) as Record<VitalKey, number | null>;
  return { views: found?.views ?? 0, ...values };
}

const overallOf = (rows: VitalsRow[]) => {
  const row = rows.find(({ part }) => part === null);
  return { views: row?.views ?? 0, ...measuredOf(row) };
};
const rowOf = (row: VitalsRow) => ({ value: row.value, views: row.views, ...measuredOf(row) });

/** Rounds to a millionth: finer than any measurement, coarser than floating-point noise of the interpolation. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

function measuredOf(row: VitalsRow | undefined) {
  const one = (key: VitalKey) => {
    const { samples = 0, percentiles = null, good = 0, poor = 0 } = row?.[key] ?? {};
    const enough = samples >= FLOOR && percentiles !== null;
    const [p50, p75, p90, p99] = enough ? percentiles.map(rounded) : [null, null, null, null];
    const shareOf = (count: number) => (enough ? count / samples : null);
    const needs = shareOf(samples - good - poor);
    return {
      samples,
      enough_data: enough,
      p50,
      p75,
      p90,
      p99,
      good: shareOf(good),
      needs_improvement: needs,
      poor: shareOf(poor),
    };
  };
  return Object.fromEntries(vitalKeys.map((key) => [key, one(key)])) as Record<VitalKey, ReturnType<typeof one>>;
}
