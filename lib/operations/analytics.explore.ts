import { z } from "zod";
import { type Chosen, chosenIn, savedQuestion } from "@/lib/analytics/query/complete-query";
import { type BreakdownKey, propertyIn } from "@/lib/analytics/query/dimensions";
import {
  exploreFields,
  isOutcome,
  measureKeys,
  readQuestion,
  type SentQuestion,
} from "@/lib/analytics/query/explore-question";
import { conversionBasis, convertingGoals, type Goal } from "@/lib/analytics/query/goals";
import { type Group, type Grouping, groupsSql } from "@/lib/analytics/query/groups";
import { knownCounts, METRIC_SOURCES, metricsOf, NOTHING, type Sums } from "@/lib/analytics/query/metrics";
import { queryCopy, type Scope, scopeOf } from "@/lib/analytics/query/scope";
import { sumsOf } from "@/lib/analytics/query/scope-sums";
import { KEYS, type Part } from "@/lib/analytics/query/sums-sql";
import {
  furtherOutcomes,
  isOfMoney,
  NO_OUTCOMES,
  type OutcomeQuestion,
  type OutcomeSums,
  outcomeOrder,
  outcomeQuestion,
  outcomesIn,
  outcomesOf,
  outcomesOfRows,
  outcomeTables,
  partsFor,
} from "@/lib/analytics/reports/outcomes";
import { seriesOf, seriesShape, sumsOfRows, trendOf } from "@/lib/analytics/reports/trend";
import { defineOperation, isPublicViewer, seesRevenue } from "@/lib/contract/define";
import {
  attribution,
  CONVERSION_BASES,
  chosenGoal,
  currencyCode,
  metaShape,
  optionalParam,
  type ReportQuery,
  reportFields,
  untrusted,
} from "@/lib/contract/fields";
import { type Attribution, MEASURES, type Measure, OF_GOALS, type Outcome } from "@/lib/contract/vocabulary";
import { Refusal } from "@/lib/platform/errors";
import { raw, type Sql, sql } from "@/lib/platform/sql";

const MAX_ROWS = 1000;
const MAX_SERIES = 5;

const metricFields = Object.fromEntries(
  measureKeys.map((key) => [key, z.number().nullable().optional().meta({ description: MEASURES[key].about })]),
) as Record<Measure, z.ZodOptional<z.ZodNullable<z.ZodNumber>>>;
const rowShape = z
  .object({ values: z.array(untrusted.nullable()), ...metricFields })
  .meta({ examples: [{ values: ["Google", "Desktop"], visitors: 46, bounce_rate: 0.38 }] });

export default defineOperation({
  id: "analytics.explore",
  title: "Explore",
  about:
    "Any metrics by up to three dimensions or custom properties, conversions and revenue among them, sorted and in pages. Without dimensions, one row for the whole range.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({
    ...reportFields,
    goal: chosenGoal("Name of a goal or event; conversions and their rate are those of this one"),
    attribution,
    ...exploreFields,
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
    metrics: z.array(z.enum(measureKeys)).meta({ examples: [["visitors", "bounce_rate"]] }),
    dimensions: z.array(untrusted).meta({ examples: [["source", "device"]] }),
    currency: currencyCode.nullable().meta({
      description: "The currency of `revenue` and `average_order_value`; null without them",
      examples: [null],
    }),
    conversions_of: z
      .enum(CONVERSION_BASES)
      .nullable()
      .meta({
        description:
          "What a conversion is; null where none is asked for. goal: the goal of the question. goals: an event that reaches any goal of the site. events, for a site without goals: any custom or commerce event that is neither passive nor a refund",
        examples: [null],
      }),
    page: z.int().meta({ examples: [1] }),
    rows: z.array(rowShape),
    comparison: z
      .array(rowShape.nullable())
      .nullable()
      .meta({ description: "The comparison range: one row for each of `rows`, null if it has no such row" }),
    series: seriesShape(
      {
        values: z.array(z.number().nullable()).meta({
          description: `The first metric of each of the first ${MAX_SERIES} rows; without dimensions, each of \`metrics\``,
          examples: [[6]],
        }),
      },
      "The range in buckets of a local day or longer",
    ),
  }),

  async run({ input, site, principal, now }) {
    const asked = await askedIn(site.id, input);
    const { metrics, by, sorted } = readQuestion(asked, asked.goal);
    const outcomes = metrics.filter(isOutcome);
    const isHidden = (outcome: Outcome) => !seesRevenue(principal) || !isOfMoney(outcome);
    if (isPublicViewer(principal) && (outcomes.some(isHidden) || by.some((key) => propertyIn(key) !== null)))
      throw new Refusal("insufficient_scope", "A public dashboard shows no conversions, revenue or custom properties.");
    const order = orderOf(sorted, by, site.currency);
    const { scope, before, meta } = await scopeOf({ ...input, attribution: asked.attribution }, site, now);
    const goals = await goalsFor(outcomes, asked.goal, site.id);
    const questionIn = (range: Scope) => outcomeQuestion(range, outcomes, goals);
    const [limit, page] = [input.limit ?? 100, input.page ?? 1];
    const rowOf = ({ values, ...sums }: Measured) => ({ values, ...pick(sums, metrics, site.currency) });
    const parts = [...new Set(metrics.flatMap(partsOf))];
    const [trend, first] = [trendOf(scope, now, true), metrics[0] as Measure];
    const question = await questionIn(scope);
    const seriesOfRows = async (rows: readonly Group["values"][], charted: readonly Measure[]) => {
      const reaching = charted.filter(isOutcome);
      const [sums, reached] = await Promise.all([
        sumsOfRows(scope, trend, { by, parts: [...new Set(charted.flatMap(partsOf))], rows }),
        reaching.length > 0 ? outcomesOfRows(await outcomeQuestion(scope, reaching, goals), trend, by, rows) : [],
      ]);
      return seriesOf(trend, (index) => ({
        values: rows.flatMap((_, row) => {
          const measured = { ...NO_OUTCOMES, ...(sums[row]?.[index] ?? NOTHING), ...reached[row]?.[index] };
          const numbers = pick(measured, charted, site.currency);
          return charted.map((metric) => numbers[metric] ?? null);
        }),
      }));
    };
    const answered = {
      metrics,
      dimensions: by,
      currency: metrics.some((one) => MEASURES[one].unit === "money") ? site.currency : null,
      conversions_of: question.converts && conversionBasis(goals, asked.goal).basis,
      page,
    };
    if (by.length === 0) {
      // Without dimensions there is one row, on page 1.
      const [one, other] = await Promise.all([
        totalOf(question, parts),
        before && totalOf(await questionIn(before), parts),
      ]);
      const rowsOf = (sums: Measured) => (page === 1 ? [rowOf(sums)] : []);
      return {
        meta: { ...meta, interval: trend.interval, row_limit: limit, truncated: false },
        ...answered,
        rows: rowsOf(one),
        comparison: other && rowsOf(other),
        series: await seriesOfRows(page === 1 ? [[]] : [], metrics),
      };
    }
    const found = await rowsOf(question, { by, parts, order, limit: limit + 1, offset: (page - 1) * limit });
    const rows = found.slice(0, limit);
    const earlier = before && (await matchingRows(rows, await questionIn(before), { by, parts, order }));
    return {
      meta: { ...meta, interval: trend.interval, row_limit: limit, truncated: found.length > limit },
      ...answered,
      rows: rows.map(rowOf),
      comparison: earlier?.map((row) => row && rowOf(row)) ?? null,
      series: await seriesOfRows(
        rows.slice(0, MAX_SERIES).map(({ values }) => values),
        [first],
      ),
    };
  },
});

type Measured = Group & OutcomeSums;

interface Asked extends SentQuestion {
  goal: string | null;
  attribution: Attribution | null | undefined;
}

/** The question of an input or, where it has neither metrics nor dimensions, that of its dashboard. */
async function askedIn(siteId: number, input: Pick<ReportQuery, "dashboard"> & SentQuestion & Chosen): Promise<Asked> {
  const { metrics, dimensions, sort, goal = null, attribution, dashboard } = input;
  const saved = dashboard && !metrics && !dimensions ? await savedQuestion(siteId, dashboard) : null;
  if (!saved) return { metrics, dimensions, sort, goal, attribution };
  const chosen = await chosenIn(siteId, input);
  return { ...saved, sort: sort ?? saved.sort, goal: chosen.goal ?? null, attribution: chosen.attribution };
}

const partsOf = (metric: Measure) => (isOutcome(metric) ? partsFor(metric) : METRIC_SOURCES[metric].parts);

/** What converts. @throws Refusal `invalid_input` for a goal without a metric of conversions. */
async function goalsFor(outcomes: readonly Outcome[], goal: string | null, siteId: number): Promise<Goal[]> {
  const isAsked = outcomes.some((one) => OF_GOALS.includes(one));
  if (!isAsked) return [];
  return convertingGoals(siteId, goal);
}

/** The sums of a whole scope. */
async function totalOf(question: OutcomeQuestion, parts: readonly Part[]): Promise<Measured> {
  const isAsked = question.converts !== null || question.rates !== null;
  const [sums, outcomes] = await Promise.all([
    parts.length > 0 ? sumsOf(question.scope, parts) : NOTHING,
    isAsked ? outcomesIn(question) : NO_OUTCOMES,
  ]);
  return { ...sums, ...outcomes, values: [] };
}

/** The sums of each combination of values. */
async function rowsOf(
  question: OutcomeQuestion,
  grouping: Grouping & { by: readonly BreakdownKey[] },
): Promise<Measured[]> {
  const isAsked = question.converts !== null || question.rates !== null;
  const further = isAsked ? furtherOutcomes(question, grouping.by) : undefined;
  const tables = isAsked ? outcomeTables(question, grouping.by) : [];
  const results = await queryCopy(question.scope, ...tables, groupsSql(question.scope, { ...grouping, further }));
  const rows = results.at(-1) as unknown as (Group & Partial<OutcomeSums>)[];
  return rows.map((row) => ({ ...NO_OUTCOMES, ...row }));
}

/** Returns the rows of the comparison range with the same dimension values. */
async function matchingRows(
  rows: Group[],
  question: OutcomeQuestion,
  grouping: Omit<Grouping, "limit">,
): Promise<(Measured | null)[]> {
  const among = rows.map(({ values }) => values);
  const found = await rowsOf(question, { ...grouping, among, limit: rows.length });
  const known = new Map(found.map((row) => [JSON.stringify(row.values), row]));
  return among.map((values) => known.get(JSON.stringify(values)) ?? null);
}

const pick = (
  sums: Sums & OutcomeSums,
  metrics: readonly Measure[],
  currency: string,
): Partial<Record<Measure, number | null>> => {
  const all = { ...metricsOf(sums), ...knownCounts(sums), ...outcomesOf(sums, sums, currency) };
  return Object.fromEntries(metrics.map((metric) => [metric, all[metric]]));
};

/** Returns the sort clause. */
function orderOf(
  { by: name, descending }: ReturnType<typeof readQuestion>["sorted"],
  by: readonly BreakdownKey[],
  currency: string,
): Sql {
  const key = by.find((one) => one === name);
  const sorted = key === undefined ? measureOrder(name as Measure, currency) : (KEYS[by.indexOf(key)] as Sql);
  return sql`${sorted} ${raw(descending ? "DESC NULLS LAST" : "ASC NULLS LAST")}`;
}

const measureOrder = (metric: Measure, currency: string): Sql =>
  isOutcome(metric) ? outcomeOrder(metric, currency) : raw(METRIC_SOURCES[metric].sql);
