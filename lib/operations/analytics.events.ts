import { z } from "zod";
import { BUCKET_LABEL, BUCKET_PARTIAL, bucketsOf, naturalInterval } from "@/lib/analytics/buckets";
import { conversionRate, goalsOf } from "@/lib/analytics/conversions";
import { eventSeries, propertiesOf, valuesOf } from "@/lib/analytics/event-detail";
import { type EventNumbers, type EventRow, eventRows, goalNumbers, nothingOf } from "@/lib/analytics/events";
import { reaching } from "@/lib/analytics/filters";
import { moneyShape } from "@/lib/analytics/money";
import { ask, type Scope } from "@/lib/analytics/question";
import { type Sales, salesOf, unconvertedOf } from "@/lib/analytics/sales";
import { sumsOf } from "@/lib/analytics/series";
import { commerceKindOf } from "@/lib/contract/commerce";
import { defineOperation } from "@/lib/contract/define";
import { absentable, FREE_TEXT, metaShape, questionFields, untrusted } from "@/lib/contract/fields";

const MOST_ROWS = 1000;
const TOP = 10;

const seen = {
  count: z.int().meta({ description: "How often it happened" }),
  visitors: z.int().meta({ description: "Distinct visitors to whom it happened, added up over the local days" }),
};
const numbers = {
  ...seen,
  conversion_rate: z.number().nullable().meta({
    description:
      "Its visitors divided by all visitors of the question, at most 1; null without visitors, and for refunds, which are no conversion",
  }),
  revenue: moneyShape.meta({
    description: "What it brought in; an order that was sent twice counts once, refunds count negative",
  }),
};
const eventShape = z.object({ event: untrusted, ...numbers });
const values = z.array(z.object({ value: untrusted.nullable(), ...seen }));

const detailShape = z.object({
  ...eventShape.shape,
  series: z.array(
    z.object({
      start: z.iso.datetime(),
      label: z.string().meta({ description: BUCKET_LABEL }),
      partial: z.boolean().meta({ description: BUCKET_PARTIAL }),
      ...seen,
      revenue: moneyShape,
    }),
  ),
  properties: z
    .array(
      z.object({
        key: untrusted,
        ...seen,
        values: z.array(z.object({ value: untrusted, ...seen })),
        more: z.boolean().meta({ description: "There are more values than these" }),
      }),
    )
    .meta({
      description:
        "The 30 most frequent properties with their 10 most frequent values as text of at most 500 characters; what nests is JSON, null is left out",
    }),
  pages: values.meta({ description: "The ten pages on which it happened to most visitors" }),
  sources: values.meta({ description: "The ten sources of the visits in which it happened" }),
});

export default defineOperation({
  id: "analytics.events",
  title: "Events",
  about:
    "Every custom and commerce event by name, passive ones too, and the site's goals. With `event` also that one's series, properties, pages and sources; a name that never happened has zeros.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({
    ...questionFields,
    event: absentable(z.string("must be the name of an event").max(255, "must have at most 255 characters")).meta({
      ...FREE_TEXT,
      description: "The exact name of an event to tell more about",
    }),
  }),
  example: { site_id: 1, period: "28d", event: "Signup" },
  output: z.object({
    meta: metaShape,
    visitors: z.int().meta({ description: "All visitors of the question: what conversion rates are of" }),
    events: z.array(eventShape),
    comparison: z
      .array(eventShape.nullable())
      .nullable()
      .meta({ description: "The comparison range: a row beside each of `events`, null where it has none" }),
    goals: z.array(z.object({ goal: z.string(), kind: z.enum(["event", "page"]), pattern: z.string(), ...numbers })),
    unconverted: z.array(moneyShape).meta({
      description: "Revenue that is in no number above, because no rate of its currency is known for its day",
    }),
    event: detailShape.nullable().meta({ description: "The event that was asked for" }),
  }),

  async run({ input, site, now }) {
    const { scope, before, meta } = await ask(input, site, now);
    const [sales, goals, { visitors }] = await Promise.all([
      salesOf(scope),
      goalsOf(site.id),
      sumsOf(scope, ["visits"]),
    ]);
    const tellEvent = (row: EventRow) => eventOf(row, visitors, scope);
    const [found, reached, unconverted] = await Promise.all([
      eventRows(sales, MOST_ROWS + 1),
      goalNumbers(sales, goals),
      unconvertedOf(sales),
    ]);
    const rows = found.slice(0, MOST_ROWS);
    const interval = naturalInterval(scope.range);
    return {
      meta: {
        ...meta,
        conversion_unit: "visitors" as const,
        ...(input.event ? { interval } : {}),
        row_limit: MOST_ROWS,
        truncated: found.length > MOST_ROWS,
      },
      visitors,
      events: rows.map(tellEvent),
      comparison: before && (await beside(rows, before)),
      goals: goals.map(({ name, kind, pattern }, index) => ({
        goal: name,
        kind,
        pattern,
        ...goalOf(reached[index] as EventNumbers, visitors, scope),
      })),
      unconverted,
      event: input.event
        ? { ...tellEvent(await named(sales, input.event)), ...(await detail(sales, input.event, now)) }
        : null,
    };
  },
});

/** @param all the visitors that the rate is of. */
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

/** The same events of another range, each with the rate among that range's visitors. */
async function beside(rows: EventRow[], before: Scope) {
  const names = rows.map(({ event }) => event);
  const [sales, { visitors }] = await Promise.all([salesOf(before), sumsOf(before, ["visits"])]);
  const found = new Map((await eventRows(sales, names.length, names)).map((row) => [row.event, row]));
  return names.map((name) => {
    const row = found.get(name);
    return row ? eventOf(row, visitors, before) : null;
  });
}

async function named(sales: Sales, name: string): Promise<EventRow> {
  const [row] = await eventRows(sales, 1, [name]);
  return row ?? { event: name, ...nothingOf(sales.scope.currency) };
}

async function detail(sales: Sales, name: string, now: Date) {
  const { scope } = sales;
  const { range, siteId, currency } = scope;
  const interval = naturalInterval(range);
  const buckets = bucketsOf(range, interval, now);
  const starts = buckets.map(({ start }) => start);
  const which = await reaching(siteId, { kind: "event", pattern: name });
  const [series, properties, pages, sources] = await Promise.all([
    eventSeries(sales, which, starts),
    propertiesOf(scope, which),
    valuesOf(scope, which, "page", TOP),
    valuesOf(scope, which, "source", TOP),
  ]);
  return {
    series: buckets.map(({ start, label, partial }, index) => {
      const { revenue, ...seen } = series[index] as (typeof series)[number];
      return { start: start.toISOString(), label, partial, ...seen, revenue: { amount: revenue, currency } };
    }),
    properties,
    pages,
    sources,
  };
}
