import { z } from "zod";
import { DIMENSIONS, type DimensionKey } from "@/lib/analytics/query/dimensions";
import { type Group, type Grouping, groups } from "@/lib/analytics/query/groups";
import {
  knownCounts,
  METRIC_SOURCES,
  metricKeys,
  metricsOf,
  mismatchOf,
  NOTHING,
  type Sums,
} from "@/lib/analytics/query/metrics";
import { namesOf, readNames } from "@/lib/analytics/query/name-lists";
import { type Scope, scopeOf } from "@/lib/analytics/query/scope";
import { sumsOf } from "@/lib/analytics/query/scope-sums";
import { KEYS } from "@/lib/analytics/query/sums-sql";
import { seriesOf, seriesShape, sumsOfRows, trendOf } from "@/lib/analytics/reports/trend";
import { defineOperation } from "@/lib/contract/define";
import { metaShape, optionalParam, reportFields, untrusted } from "@/lib/contract/fields";
import { METRICS, type Metric } from "@/lib/contract/vocabulary";
import { type Issue, invalidInput } from "@/lib/platform/errors";
import { raw, type Sql, sql } from "@/lib/platform/sql";

const dimensionKeys = Object.keys(DIMENSIONS) as [DimensionKey, ...DimensionKey[]];
const MAX_DIMENSIONS = 3;
const MAX_ROWS = 1000;
const MAX_SERIES = 5;
const SORT_MESSAGE = "must be the name of a metric or a dimension";

const metricFields = Object.fromEntries(
  metricKeys.map((key) => [key, z.number().nullable().optional().meta({ description: METRICS[key].about })]),
) as Record<Metric, z.ZodOptional<z.ZodNullable<z.ZodNumber>>>;
const rowShape = z
  .object({ values: z.array(untrusted.nullable()), ...metricFields })
  .meta({ examples: [{ values: ["Google", "Desktop"], visitors: 46, bounce_rate: 0.38 }] });

export default defineOperation({
  id: "analytics.explore",
  title: "Explore",
  about: "Any metrics by up to three dimensions, sorted and in pages. Without dimensions, one row for the whole range.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({
    ...reportFields,
    metrics: namesOf("metrics").meta({
      description: `Comma-separated metrics: ${metricKeys.join(", ")}; default visitors,visits,pageviews`,
    }),
    dimensions: namesOf("dimensions").meta({
      description: `Up to three comma-separated dimensions: ${dimensionKeys.join(", ")}; default none`,
    }),
    sort: optionalParam(z.string(SORT_MESSAGE).max(64, SORT_MESSAGE)).meta({
      description:
        "One of `metrics` or `dimensions`, ascending; with a leading minus, descending. Default: the first metric, descending",
    }),
    limit: optionalParam(
      z.int("must be a whole number").min(1, "must be 1 or more").max(MAX_ROWS, `must be at most ${MAX_ROWS}`),
    ).meta({
      description: "Rows per page; default 100",
    }),
    page: optionalParam(
      z.int("must be a whole number").min(1, "must be 1 or more").max(1000, "must be at most 1000"),
    ).meta({
      description: "Page number; default 1",
    }),
  }),
  example: {
    site_id: 1,
    period: "28d",
    metrics: "visitors,bounce_rate",
    dimensions: "source,device",
    sort: "-visitors",
  },
  output: z.object({
    meta: metaShape,
    metrics: z.array(z.enum(metricKeys)).meta({ examples: [["visitors", "bounce_rate"]] }),
    dimensions: z.array(z.enum(dimensionKeys)).meta({ examples: [["source", "device"]] }),
    page: z.int().meta({ examples: [1] }),
    rows: z.array(rowShape),
    comparison: z
      .array(rowShape.nullable())
      .nullable()
      .meta({ description: "The comparison range: one row for each of `rows`, null if it has no such row" }),
    series: seriesShape(
      {
        values: z.array(z.number().nullable()).meta({
          description: `The first metric of each of the first ${MAX_SERIES} rows`,
          examples: [[6]],
        }),
      },
      "The range in buckets of a local day or longer",
    ),
  }),

  async run({ input, site, now }) {
    const metrics = readNames("metrics", input.metrics ?? "visitors,visits,pageviews", metricKeys, metricKeys.length);
    const by = readNames("dimensions", input.dimensions ?? "", dimensionKeys, MAX_DIMENSIONS);
    const order = orderOf(metrics, by, input.sort ?? null);
    const { scope, before, meta } = await scopeOf(input, site, now);
    const [limit, page] = [input.limit ?? 100, input.page ?? 1];
    const rowOf = ({ values, ...sums }: Group) => ({ values, ...pick(sums, metrics) });
    const parts = [...new Set(metrics.flatMap((metric) => METRIC_SOURCES[metric].parts))];
    const [trend, first] = [trendOf(scope, now, true), metrics[0] as Metric];
    const seriesOfRows = async (rows: readonly Group["values"][]) => {
      const sums = await sumsOfRows(scope, trend, { by, parts: METRIC_SOURCES[first].parts, rows });
      return seriesOf(trend, (index) => ({
        values: sums.map((row) => pick(row[index] ?? NOTHING, [first])[first] ?? null),
      }));
    };
    if (by.length === 0) {
      // Without dimensions there is one row, on page 1.
      const [one, other] = await Promise.all([sumsOf(scope, parts), before && sumsOf(before, parts)]);
      const rowsOf = (sums: Sums) => (page === 1 ? [rowOf({ ...sums, values: [] })] : []);
      return {
        meta: { ...meta, interval: trend.interval, row_limit: limit, truncated: false },
        metrics,
        dimensions: by,
        page,
        rows: rowsOf(one),
        comparison: other && rowsOf(other),
        series: await seriesOfRows(page === 1 ? [[]] : []),
      };
    }
    const found = await groups(scope, { by, parts, order, limit: limit + 1, offset: (page - 1) * limit });
    const rows = found.slice(0, limit);
    const earlier = before && (await matchingRows(rows, before, { by, parts, order }));
    return {
      meta: { ...meta, interval: trend.interval, row_limit: limit, truncated: found.length > limit },
      metrics,
      dimensions: by,
      page,
      rows: rows.map(rowOf),
      comparison: earlier?.map((row) => row && rowOf(row)) ?? null,
      series: await seriesOfRows(rows.slice(0, MAX_SERIES).map(({ values }) => values)),
    };
  },
});

/** Returns the rows of the comparison range with the same dimension values. */
async function matchingRows(rows: Group[], range: Scope, grouping: Omit<Grouping, "limit">): Promise<(Group | null)[]> {
  const among = rows.map(({ values }) => values);
  const found = await groups(range, { ...grouping, among, limit: rows.length });
  const known = new Map(found.map((row) => [JSON.stringify(row.values), row]));
  return among.map((values) => known.get(JSON.stringify(values)) ?? null);
}

const pick = (sums: Sums, metrics: readonly Metric[]): Partial<Record<Metric, number | null>> => {
  const all = { ...metricsOf(sums), ...knownCounts(sums) };
  return Object.fromEntries(metrics.map((metric) => [metric, all[metric]]));
};

/** Returns the sort clause. @throws Refusal `invalid_input` for an unknown sort or unsupported metrics. */
function orderOf(metrics: readonly Metric[], by: readonly DimensionKey[], sort: string | null): Sql {
  const issues: Issue[] = metrics.flatMap((metric) =>
    by.flatMap((key) => {
      const message = mismatchOf(metric, key);
      return message ? [{ path: "metrics", message }] : [];
    }),
  );
  const descending = sort === null || sort.startsWith("-");
  const name = sort === null ? metrics[0] : sort.replace(/^-/, "");
  const metric = metrics.find((one) => one === name);
  const key = by.find((one) => one === name);
  const sorted = metric ? raw(METRIC_SOURCES[metric].sql) : key && KEYS[by.indexOf(key)];
  if (sorted === undefined) {
    issues.push({
      path: "sort",
      message: `must be one of ${[...metrics, ...by].join(", ")}, with or without a leading minus`,
    });
  }
  if (issues.length > 0 || sorted === undefined) throw invalidInput(issues);
  return sql`${sorted} ${raw(descending ? "DESC NULLS LAST" : "ASC NULLS LAST")}`;
}
