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
import { metaShape, questionFields, untrusted } from "@/lib/contract/fields";

const MOST_ROWS = 20;

const about = <T extends z.ZodType>(type: T, description: string) => type.meta({ description });
const share = z.number().min(0).max(1).nullable();
const fieldsOf = <Key extends string, Shape extends z.ZodType>(keys: readonly Key[], shape: (key: Key) => Shape) =>
  Object.fromEntries(keys.map((key) => [key, shape(key)])) as Record<Key, Shape>;

const vitalShape = (key: VitalKey) => {
  const { about: what, good, poor } = VITALS[key];
  return z
    .object({
      samples: about(z.int(), "Page views that reported it"),
      enough_data: about(z.boolean(), `Whether there are ${FLOOR} samples; below, all that follows is null`),
      p50: z.number().nullable(),
      p75: z.number().nullable(),
      p90: z.number().nullable(),
      p99: z.number().nullable(),
      good: about(share, `Share of samples of at most ${good}`),
      needs_improvement: about(share, `Share of samples above ${good} and at most ${poor}`),
      poor: about(share, `Share of samples above ${poor}`),
    })
    .meta({ description: what });
};
const told = { views: about(z.int(), "Page views that reported any vital"), ...fieldsOf(vitalKeys, vitalShape) };
const overallShape = z.object(told);
const rowShape = z.object({ value: untrusted.nullable(), ...told });

export default defineOperation({
  id: "analytics.vitals",
  title: "Web vitals",
  about:
    "Core Web Vitals over page views, each by the last values it reported: exact percentiles (interpolated, as in percentile_cont) and shares by Google's thresholds, overall and by page, device, country and browser.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject(questionFields),
  example: { site_id: 1, period: "28d", filters: { device: "Mobile" } },
  output: z.object({
    meta: metaShape,
    floor: about(z.int(), "The fewest samples that percentiles and shares are told of"),
    overall: overallShape,
    ...fieldsOf(breakdownKeys, (key) =>
      about(z.array(rowShape), `By ${BREAKDOWNS[key]}, the most page views first; null: unknown`),
    ),
    comparison: about(
      z.object({ overall: overallShape, ...fieldsOf(breakdownKeys, () => z.array(rowShape.nullable())) }).nullable(),
      "The comparison range: a row beside each row above, null where it has none",
    ),
    series: seriesShape(
      {
        views: told.views,
        ...fieldsOf(vitalKeys, (key) =>
          about(z.number().nullable(), `The 75th percentile of ${VITALS[key].label}; null below ${FLOOR} samples`),
        ),
      },
      "The range bucket by bucket; a page view counts where it reported last",
    ),
  }),

  async run({ input, site, now }) {
    const { scope, before, meta } = await scopeOf(input, site, now);
    const trend = trendOf(scope, now);
    const { rows: found, buckets } = await vitalsOf(scope, MOST_ROWS + 1, trend);
    const rows = breakdownsOf((key) => found.filter(({ part }) => part === key));
    const shown = breakdownsOf((key) => rows[key].slice(0, MOST_ROWS));
    const values = breakdownsOf((key) => shown[key].map(({ value }) => value));
    const earlier = before && (await vitalsAmong(before, values));
    const beside = (key: Breakdown, value: string | null) =>
      earlier?.find((row) => row.part === key && row.value === value) ?? null;
    const truncated = breakdownKeys.some((key) => rows[key].length > MOST_ROWS);
    return {
      meta: { ...meta, interval: trend.interval, row_limit: MOST_ROWS, truncated },
      floor: FLOOR,
      overall: overallOf(found),
      ...breakdownsOf((key) => shown[key].map(rowOf)),
      comparison: earlier && {
        overall: overallOf(earlier),
        ...breakdownsOf((key) =>
          values[key].map((value) => {
            const row = beside(key, value);
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

/** A millionth is below what any browser measures, and above what interpolation leaves behind. */
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
