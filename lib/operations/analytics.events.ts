import { z } from "zod";
import { rounded } from "@/lib/analytics/money/amounts";
import { conversionRate } from "@/lib/analytics/query/conversions";
import { reaching } from "@/lib/analytics/query/filters";
import { type Goal, goalsOf } from "@/lib/analytics/query/goals";
import { type Scope, scopeOf } from "@/lib/analytics/query/scope";
import { sumsOf } from "@/lib/analytics/query/scope-sums";
import {
  type EventDetail,
  type EventNumbers,
  type EventRow,
  eventsNamed,
  eventsOf,
} from "@/lib/analytics/reports/events";
import { outcomeQuestion, outcomesIn } from "@/lib/analytics/reports/outcomes";
import { seriesTotals } from "@/lib/analytics/reports/series";
import { countsBy, seriesOf, seriesShape, type Trend, trendOf } from "@/lib/analytics/reports/trend";
import { commerceKindOf } from "@/lib/contract/commerce";
import { defineOperation } from "@/lib/contract/define";
import {
  about,
  conversionValue,
  euros,
  type Money,
  metaShape,
  moneyShape,
  optionalParam,
  reportFields,
  unconverted,
  untrusted,
} from "@/lib/contract/fields";
import { canonicalName } from "@/lib/platform/names";

const MAX_ROWS = 1000;

const seen = {
  count: about(z.int(), "Number of events", 11),
  visitors: about(z.int(), "Unique visitors with the event, summed over local days", 9),
};
const numbers = {
  ...seen,
  conversion_rate: about(
    z.number().nullable(),
    "Visitors with the event divided by all visitors, at most 1; null without visitors and for refunds, which are not conversions",
    0.07,
  ),
  revenue: about(moneyShape, "Revenue. An order that is sent twice counts once; refunds are subtracted", euros("0.00")),
};
const signup = { examples: ["Signup"] };
const eventShape = z.object({ event: untrusted.meta(signup), ...numbers });
const goal = z.string().meta(signup);
const values = z.array(z.object({ value: untrusted.nullable(), ...seen }));

/** Fewer than of the whole range. */
const few = z.int().meta({ examples: [2] });

const detailShape = z.object({
  ...eventShape.shape,
  series: seriesShape({ count: few, visitors: few, revenue: numbers.revenue }, "The range in buckets"),
  properties: z
    .array(
      z.object({
        key: untrusted,
        ...seen,
        values: z.array(z.object({ value: untrusted, ...seen })),
        more: z.boolean().meta({ description: "Whether there are more values" }),
      }),
    )
    .meta({
      description:
        "The 30 most frequent properties, each with its 10 most frequent values as text of up to 500 characters; nested values are JSON, null values are left out",
      examples: [
        [{ key: "plan", count: 11, visitors: 9, values: [{ value: "pro", count: 7, visitors: 6 }], more: false }],
      ],
    }),
  pages: about(values, "The ten pages of the event with the most visitors", [
    { value: "/signup", count: 11, visitors: 9 },
  ]),
  sources: about(values, "The ten sources with the most visitors, of the visits with the event", [
    { value: "Google", count: 5, visitors: 4 },
  ]),
});

export default defineOperation({
  id: "analytics.events",
  title: "Events",
  about:
    "Counts of all custom and commerce events by name, including passive ones, and of the site's goals. With `event`, also the series, properties, pages and sources of that event; an unknown name returns zeros.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({
    ...reportFields,
    event: optionalParam(
      z.string("must be the name of an event").overwrite(canonicalName).max(255, "must have at most 255 characters"),
    ).meta({
      description: "Exact name of the event to return in detail",
    }),
  }),
  example: { site_id: 1, period: "28d", event: "Signup" },
  output: z.object({
    meta: metaShape,
    visitors: about(z.int(), "All visitors, the denominator of conversion rates", 128),
    events: z.array(eventShape),
    comparison: z
      .array(eventShape.nullable())
      .nullable()
      .meta({ description: "The comparison range: one row for each row of `events`, null if it has no such event" }),
    goals: z.array(
      z.object({
        goal,
        kind: z.enum(["event", "page"]),
        pattern: z.string().meta(signup),
        ...numbers,
        conversion_value: conversionValue,
      }),
    ),
    unconverted,
    event: detailShape.nullable().meta({ description: "Details of the requested event" }),
    series: seriesShape(
      {
        visitors: about(z.int(), "All visitors in the bucket, the denominator of conversion rates", 21),
        goals: z.array(z.object({ goal, count: few })).meta({ description: "One entry for each of `goals`" }),
      },
      "The range in buckets",
    ),
  }),

  async run({ input, site, now }) {
    const { scope, before, meta } = await scopeOf(input, site, now);
    const trend = trendOf(scope, now);
    const detail = input.event ? { name: input.event, starts: trend.starts } : null;
    const goals = await goalsOf(site.id);
    const [found, { totals, sums }, reached, worths] = await Promise.all([
      eventsOf(scope, goals, MAX_ROWS + 1, detail),
      seriesTotals(scope, trend.interval, trend.starts),
      countsBy(scope, trend, goals.map(reaching)),
      Promise.all(goals.map((goal) => worthOf(scope, goal))),
    ]);
    const { visitors } = sums;
    const rows = found.events.slice(0, MAX_ROWS);
    return {
      meta: {
        ...meta,
        conversion_unit: "visitors" as const,
        interval: trend.interval,
        row_limit: MAX_ROWS,
        truncated: found.events.length > MAX_ROWS,
      },
      visitors,
      events: rows.map((row) => eventOf(row, visitors, scope)),
      comparison: before && (await matchingEvents(rows, before)),
      goals: goals.map(({ name, kind, pattern }, index) => ({
        goal: name,
        kind,
        pattern,
        ...goalOf(found.goals[index] as EventNumbers, visitors, scope),
        conversion_value: worths[index] ?? null,
      })),
      unconverted: found.unconverted,
      event: detail && found.detail ? inDetail(detail.name, found.detail, trend, visitors, scope) : null,
      series: seriesOf(trend, (bucket) => ({
        visitors: totals[bucket]?.visitors ?? 0,
        goals: goals.map(({ name }, index) => ({ goal: name, count: reached[bucket]?.[index] ?? 0 })),
      })),
    };
  },
});

/** Returns what reaching a goal was worth; null for a goal without a value. */
async function worthOf(scope: Scope, goal: Goal): Promise<Money | null> {
  if (goal.value === null) return null;
  const { worth } = await outcomesIn(await outcomeQuestion(scope, ["conversion_value"], [goal]));
  return { amount: rounded(worth, scope.currency), currency: scope.currency };
}

/** @param all the number of all visitors, for the conversion rate. */
const goalOf = (row: EventNumbers, all: number, { currency }: Scope) => ({
  ...row,
  conversion_rate: conversionRate(row.visitors, all),
  revenue: { amount: row.revenue, currency },
});

const eventOf = (row: EventRow, all: number, scope: Scope) => ({
  ...row,
  ...goalOf(row, all, scope),
  ...(commerceKindOf(row.event) === "refund" && { conversion_rate: null }),
});

/** Returns the same events of the comparison range, with rates relative to the visitors of that range. */
async function matchingEvents(rows: EventRow[], before: Scope) {
  const names = rows.map(({ event }) => event);
  const [found, { visitors }] = await Promise.all([eventsNamed(before, names), sumsOf(before, ["visits"])]);
  const known = new Map(found.map((row) => [row.event, row]));
  return names.map((name) => {
    const row = known.get(name);
    return row ? eventOf(row, visitors, before) : null;
  });
}

function inDetail(event: string, detail: EventDetail, trend: Trend, visitors: number, scope: Scope) {
  const { series, properties, pages, sources, ...numbers } = detail;
  const { currency } = scope;
  return {
    ...eventOf({ ...numbers, event }, visitors, scope),
    series: seriesOf(trend, (index) => {
      const { revenue, ...seen } = series[index] as EventNumbers;
      return { ...seen, revenue: { amount: revenue, currency } };
    }),
    properties,
    pages,
    sources,
  };
}
