import { z } from "zod";
import { alertShape, listAlerts } from "@/lib/alerts/rules";
import { DIMENSIONS, type DimensionKey } from "@/lib/analytics/query/dimensions";
import { convertingGoals, type Goal } from "@/lib/analytics/query/goals";
import { mismatchOf } from "@/lib/analytics/query/metrics";
import { nameList, readNames } from "@/lib/analytics/query/name-lists";
import { scopeOf } from "@/lib/analytics/query/scope";
import { findingsOf } from "@/lib/analytics/reports/change-findings";
import { changedNumbers, exact, isPartition, restNumbers, valueNumbers } from "@/lib/analytics/reports/change-numbers";
import { isSummed } from "@/lib/analytics/reports/change-parts";
import { CHANGED_LABELS, totalSentence, valueSentence } from "@/lib/analytics/reports/change-sentences";
import { type ChangedDimension, type ChangedMetric, changesOf } from "@/lib/analytics/reports/changes";
import { defineOperation, isPublicViewer, type SiteAccess } from "@/lib/contract/define";
import {
  about,
  chosenGoal,
  currencyCode,
  metaShape,
  optionalParam,
  reportFields,
  untrusted,
} from "@/lib/contract/fields";
import { importedDays } from "@/lib/ingest/store/imported-facts";
import { describeIncident, incidentShape, incidentsIn } from "@/lib/monitoring/incidents";
import { Fault, invalidInput } from "@/lib/platform/errors";
import { plainText } from "@/lib/platform/text";
import { annotationShape, annotationsIn } from "@/lib/sites/saved/annotations";

const metrics = Object.keys(CHANGED_LABELS) as [ChangedMetric, ...ChangedMetric[]];
const dimensionKeys = Object.keys(DIMENSIONS) as [DimensionKey, ...DimensionKey[]];
const MAX_DIMENSIONS = 12;
const MAX_ROWS = 100;
const DEFAULT_ROWS = 10;
/** Rows of the report that shows a finding, where a filter by its value would change what is counted. */
const UNFILTERED_ROWS = 1000;

const OF_VISITS: readonly DimensionKey[] = [
  ...(["source", "channel", "utm_campaign", "entry_page", "country", "device", "browser"] as const),
];
const DEFAULT_DIMENSIONS: Partial<Record<ChangedMetric, readonly DimensionKey[]>> = {
  pageviews: [...OF_VISITS, "page"],
  events: [...OF_VISITS, "event"],
  conversions: [...OF_VISITS, "event"],
  revenue: [...OF_VISITS, "event"],
};

const REFUSED_METRIC = `must be one of ${metrics.join(", ")}; other rates count visitors, who may have several values, so that they have no parts that add up`;

const amount = z.number().nullable();
const STATUSES = ["new", "lost", "both"] as const;
const comparedFields = {
  before: about(amount, "Its metric in the comparison range", 1350),
  after: about(amount, "Its metric in the range", 930),
  change: about(amount, "`after` minus `before`", -420),
  effect: about(
    amount,
    "How much of the change of the total comes from it, in the unit of the metric; null where the total is unknown in a range",
    -420,
  ),
  contribution: about(
    amount,
    "`effect` divided by the change of the total: 0.78 is 78 %, below 0 is against the change; null where the total did not change",
    0.78,
  ),
};
const valueFields = {
  value: about(untrusted.nullable(), "Null is unknown or none", "Google"),
  status: z
    .enum(STATUSES)
    .meta({ description: "new: nothing before. lost: nothing in the range. both: in both ranges", examples: ["both"] }),
  ...comparedFields,
  beyond_trend: about(
    amount,
    "`effect` minus the effect that it would have if it had changed like the total. About 0 for a value that is merely large",
    -285,
  ),
  ratio_parts: z
    .object({
      share_before: z.number(),
      share_after: z.number(),
      mix: about(z.number(), "What comes from its share of visits, against the average of both ranges"),
      within: about(z.number(), "What comes from its own ratio"),
    })
    .nullable()
    .meta({
      description:
        "Of a ratio: its shares of visits, and the two parts that `effect` is the sum of; null for other metrics",
      examples: [null],
    }),
};
const valueShape = z.object(valueFields);
const some = (what: string, example: { values: number; effect: number }) =>
  z.object({ values: z.int(), effect: amount }).meta({ description: what, examples: [example] });

const queryShape = z
  .object({
    operation: z.string(),
    input: z.record(z.string(), z.unknown()).meta({ "x-untrusted": true }),
  })
  .meta({
    description: "The call that shows these numbers",
    examples: [
      {
        operation: "analytics.explore",
        input: {
          site_id: 1,
          period: "28d",
          compare: "previous_period",
          filters: { source: "Google" },
          metrics: "visits",
          dimensions: "source",
        },
      },
    ],
  });

const inputShape = z.strictObject({
  ...reportFields,
  compare: reportFields.compare.meta({
    description:
      "Comparison range; default previous_period, the same number of days directly before the range; `year_over_year` is the same dates one year earlier, and none is refused. If the range includes now, the comparison ends at the same local time of day; `meta.compare` has the exact times.",
  }),
  metric: optionalParam(z.enum(metrics, REFUSED_METRIC)).meta({
    description: "The metric whose change is explained; default visits",
  }),
  goal: chosenGoal("Name of a goal or event; `conversions` then count only this one"),
  dimensions: nameList("dimensions").meta({
    description: `Comma-separated dimensions, at most ${MAX_DIMENSIONS}; default ${OF_VISITS.join(",")} and, by metric, page or event`,
  }),
  limit: optionalParam(
    z.int("must be a whole number").min(1, "must be 1 or more").max(MAX_ROWS, `must be at most ${MAX_ROWS}`),
  ).meta({ description: `Values of each dimension; default ${DEFAULT_ROWS}` }),
});
type Input = z.output<typeof inputShape>;

export default defineOperation({
  id: "analytics.changes",
  title: "What changed",
  about:
    "Which sources, pages, countries and other values explain how a metric changed against the comparison. Each has its exact part of the change, and what stands out beyond the general trend comes first, as sentences.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: inputShape,
  example: { site_id: 1, period: "28d", metric: "visits", compare: "previous_period" },
  output: z.object({
    meta: metaShape,
    metric: z.enum(metrics),
    currency: currencyCode
      .nullable()
      .meta({ description: "The currency of `revenue`; otherwise null", examples: [null] }),
    total: z.object({
      before: about(amount, "The metric in the comparison range", 5400),
      after: about(amount, "The metric in the range", 4860),
      change: about(amount, "`after` minus `before`; null where one is unknown", -540),
      sentence: z.string().meta({ examples: ["Visits fell from 5,400 to 4,860 (−10%)."] }),
    }),
    findings: z
      .array(
        z.object({
          dimension: z.enum(dimensionKeys).meta({ examples: ["source"] }),
          ...valueFields,
          sentence: untrusted.meta({
            examples: ["Visits from Google fell by 420 (−31%), which is 78% of the fall."],
          }),
          query: queryShape,
        }),
      )
      .meta({
        description:
          "The values that stand out, at most eight: `effect` goes beyond the trend in its own direction, by at least 0.5 % of the total, most first; of equals, the one whose dimension comes first. The first one is the best explanation: it goes with the change of the total if any does. Dimensions that tell the same, such as source and channel, have one value in each direction. Empty where everything changed alike",
      }),
    dimensions: z.array(
      z.object({
        dimension: z.enum(dimensionKeys).meta({ examples: ["source"] }),
        additive: about(
          z.boolean(),
          "Whether no visit or event has two values, so that all values are parts of the total. False for visitors, for visits by page or event, and where imported days are in a range",
          true,
        ),
        values: z.array(valueShape).meta({ description: "Largest effect first" }),
        other: z.object({ values: about(z.int(), "How many values are not listed", 14), ...comparedFields }).meta({
          description:
            "The total minus the listed values, so that effects and contributions add up exactly. It has what is in no value, such as visits without a page; where `additive` is false, it also makes up for what is in several values",
        }),
        new_values: some("Values with nothing before", { values: 3, effect: 12 }),
        lost_values: some("Values with nothing in the range", { values: 2, effect: -7 }),
      }),
    ),
    annotations: z
      .object({ range: z.array(annotationShape), comparison: z.array(annotationShape) })
      .meta({ description: "Annotations within each of both ranges, oldest first; at most the latest 100" }),
    incidents: z.object({ range: z.array(incidentShape), comparison: z.array(incidentShape) }).meta({
      description: "Incidents of monitoring that were open in each of both ranges, oldest first; at most the latest 30",
    }),
    alerts: z.object({ range: z.array(alertShape), comparison: z.array(alertShape) }).meta({
      description:
        "Alerts of the site's rules for hours and days of each of both ranges, newest first; at most the latest 50",
    }),
  }),

  async run({ input, site, principal, db, now }) {
    const metric = input.metric ?? "visits";
    const dimensions = dimensionsFor(metric, input.dimensions ?? null);
    const goals = await goalsFor(metric, input.goal ?? null, site.id);
    const { asked, scope, before, meta } = await compared(input, site, now);
    const limit = input.limit ?? DEFAULT_ROWS;
    const { from, to } = before.range;
    const [changes, importedBefore] = await Promise.all([
      changesOf(scope, before, { metric, goals, dimensions, limit }),
      scope.imported ? importedDays(site.id, from, to) : null,
    ]);
    const hasImports = scope.imported && (meta.imported !== undefined || importedBefore !== null);
    const total = changedNumbers(metric, changes.total);
    const change = total.change ?? 0;
    const told = { metric, currency: site.currency };
    const isPublic = isPublicViewer(principal);
    const inBoth = async <One>(read: (range: { start: Date; end: Date }) => Promise<One[]>) => ({
      range: isPublic ? [] : await read(scope.range),
      comparison: isPublic ? [] : await read(before.range),
    });
    return {
      meta: { ...meta, row_limit: limit },
      metric,
      currency: metric === "revenue" ? site.currency : null,
      total: { ...total, sentence: totalSentence(told, total) },
      findings: findingsOf(changes.dimensions, total).map(({ dimension, one }) => {
        const numbers = valueNumbers(metric, one, changes.total);
        return {
          dimension,
          ...numbers,
          sentence: valueSentence(told, { dimension, ...numbers }, change),
          query: queryFor({ ...asked, metric }, { dimension, ...numbers }, hasImports),
        };
      }),
      dimensions: dimensions.map((dimension) => {
        const { values, all, appeared, disappeared } = changes.dimensions.get(dimension) ?? NO_VALUES;
        const listed = values.filter((one) => one.listed);
        return {
          dimension,
          additive: !hasImports && isPartition(metric, dimension),
          values: listed.map((one) => valueNumbers(metric, one, changes.total)),
          other: { values: all - listed.length, ...restNumbers(metric, changes.total, listed) },
          new_values: { ...appeared, effect: exact(metric, appeared.effect) },
          lost_values: { ...disappeared, effect: exact(metric, disappeared.effect) },
        };
      }),
      annotations: await inBoth((range) => annotationsIn(db, site, range)),
      incidents: await inBoth(async (range) => (await incidentsIn(site.id, range, db)).map(describeIncident)),
      alerts: await inBoth((range) => listAlerts(db, site.id, range)),
    };
  },
});

const NO_VALUES: ChangedDimension = {
  values: [],
  all: 0,
  appeared: { values: 0, effect: 0 },
  disappeared: { values: 0, effect: 0 },
};

/** @throws Refusal `invalid_input` for dimensions that are unknown, too many, or of which the metric has no values. */
function dimensionsFor(metric: ChangedMetric, sent: string | null): DimensionKey[] {
  if (sent === null) return [...(DEFAULT_DIMENSIONS[metric] ?? OF_VISITS)];
  const keys = readNames("dimensions", sent, dimensionKeys, MAX_DIMENSIONS);
  const issues = keys.flatMap((key) => {
    const message =
      metric === "pageviews" && key === "event"
        ? "pageviews have no event; ask for them by page, or for the metric events"
        : isSummed(metric) && mismatchOf(metric, key);
    return message ? [{ path: "dimensions", message }] : [];
  });
  if (issues.length > 0) throw invalidInput(issues);
  return keys;
}

/** What converts. @throws Refusal `invalid_input` for a goal beside another metric. */
async function goalsFor(metric: ChangedMetric, goal: string | null, siteId: number): Promise<Goal[]> {
  if (metric === "conversions") return convertingGoals(siteId, goal);
  if (goal === null) return [];
  throw invalidInput([{ path: "goal", message: "belongs to the metric conversions; leave it out, or change metric" }]);
}

/** Resolves a query with its comparison, which is the previous period where neither the query nor its dashboard has one. */
async function compared(input: Input, site: SiteAccess, now: Date) {
  if (input.compare === "none") {
    const message = "is none, but changes need a comparison; leave it out for previous_period";
    throw invalidInput([{ path: "compare", message }]);
  }
  const first = await scopeOf(input, site, now);
  if (first.before) return { asked: input, ...first, before: first.before };
  const asked = { ...input, compare: "previous_period" as const };
  const { before, ...resolved } = await scopeOf(asked, site, now);
  if (!before) throw new Fault("A comparison with the previous period has a range");
  return { asked, ...resolved, before };
}

interface Shown {
  dimension: DimensionKey;
  value: string | null;
  status: "new" | "lost" | "both";
}

/**
 * Returns the call that shows a finding. Explore has no rows of what the range has lost; conversions and revenue are shown by
 * the same report. A filter would leave out imported days, and the repeated orders of other values.
 */
function queryFor(asked: Input, { dimension, value, status }: Shown, hasImports: boolean) {
  const { metric, goal, dimensions: _, limit: __, filters, ...range } = asked;
  const isFilter = !hasImports && metric !== "revenue" && (value === null || plainText(value) === value);
  const common = {
    ...Object.fromEntries(Object.entries(range).filter(([, one]) => one !== null && one !== undefined)),
    ...(isFilter ? { filters: withValue(filters ?? {}, dimension, value ?? "") } : filters && { filters }),
  };
  if (isSummed(metric ?? "") && status !== "lost")
    return {
      operation: "analytics.explore",
      input: { ...common, metrics: metric, dimensions: dimension, ...(!isFilter && { limit: UNFILTERED_ROWS }) },
    };
  return {
    operation: "analytics.changes",
    input: { ...common, metric, ...(goal && { goal }), dimensions: dimension, limit: MAX_ROWS },
  };
}

/** Adds a value to filters; other operators of its dimension still apply. */
function withValue(filters: Record<string, unknown>, dimension: DimensionKey, value: string): Record<string, unknown> {
  const sent = filters[dimension];
  const isCompared = typeof sent === "object" && sent !== null && !Array.isArray(sent);
  return { ...filters, [dimension]: isCompared ? { ...sent, is: value } : value };
}
