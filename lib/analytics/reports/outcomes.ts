import { z } from "zod";
import { digitsOf, rounded } from "@/lib/analytics/money/amounts";
import { converted, type Rates, ratesFor, ratesTable } from "@/lib/analytics/money/rates";
import { salesIn, salesTable } from "@/lib/analytics/money/sales";
import { credited } from "@/lib/analytics/query/attribution";
import { conversionRate, converting } from "@/lib/analytics/query/conversions";
import { dimensionId, ofTypes, propertyText, valuesOf } from "@/lib/analytics/query/dimension-sql";
import { type BreakdownKey, type DimensionKey, ONLY_ON_VISITS, propertyIn } from "@/lib/analytics/query/dimensions";
import { NAMED_EVENTS } from "@/lib/analytics/query/event-types";
import { reaching } from "@/lib/analytics/query/filters";
import type { Goal } from "@/lib/analytics/query/goals";
import { type FurtherSums, isAmong } from "@/lib/analytics/query/groups";
import type { Sums } from "@/lib/analytics/query/metrics";
import { eventsIn, queryCopy, type Scope, wholeVisits } from "@/lib/analytics/query/scope";
import { type Facts, KEYS, type Part, sumColumns, tallied, VISITOR, withWords } from "@/lib/analytics/query/sums-sql";
import { bucketed, type Trend } from "@/lib/analytics/reports/trend";
import { currencyCode } from "@/lib/contract/fields";
import { OUTCOMES, type Outcome } from "@/lib/contract/vocabulary";
import { empty, join, raw, type Sql, sql } from "@/lib/platform/sql";

/** What visits led to, by any dimensions: conversions, orders and revenue. */

export interface OutcomeSums {
  conversions: number;
  converters: number;
  /** Exact decimal text in the reporting currency: the values of the goals that were reached. */
  worth: string | null;
  /** Orders, refunds and other events with revenue that count. */
  sales: number;
  orders: number;
  /** Orders whose amount is known in the reporting currency. */
  priced: number;
  /** Exact decimal text in the reporting currency: of all sales, and of orders. */
  revenue: string | null;
  paid: string | null;
}

export const NO_OUTCOMES: OutcomeSums = {
  conversions: 0,
  converters: 0,
  worth: null,
  sales: 0,
  orders: 0,
  priced: 0,
  revenue: null,
  paid: null,
};

/** The outcomes that a report asks for in a scope. */
export interface OutcomeQuestion {
  scope: Scope;
  asked: readonly Outcome[];
  /** SQL for the events that convert; null where conversions are not asked for. */
  converts: Sql | null;
  /** The goals whose values are asked for. */
  valued: readonly Goal[];
  /** Null where neither money nor a value of revenue is asked for. */
  rates: Rates | null;
}

const OF_MONEY: readonly Outcome[] = ["revenue", "orders", "average_order_value"];
const OF_CONVERSIONS: readonly Outcome[] = ["conversions", "conversion_rate"];
const isOfRevenue = ({ value }: Goal): boolean => value?.of === "revenue";
/** Whether it is about sales, which need no goal. */
export const isOfMoney = (outcome: Outcome): boolean => OF_MONEY.includes(outcome);

/** @param goals what converts. */
export async function outcomeQuestion(
  scope: Scope,
  outcomes: readonly Outcome[],
  goals: readonly Goal[],
): Promise<OutcomeQuestion> {
  const valued = outcomes.includes("conversion_value") ? goals.filter(({ value }) => value !== null) : [];
  const sold = outcomes.some(isOfMoney) || valued.some(isOfRevenue);
  return {
    ...{ scope, asked: outcomes, valued },
    converts: outcomes.some((one) => !isOfMoney(one)) ? converting(goals) : null,
    rates: sold ? await ratesFor(scope) : null,
  };
}

/**
 * The outcomes of a dashboard: conversions and their rate of a chosen goal, and money where the site has any.
 *
 * @returns null where there is nothing to show.
 */
export async function dashboardOutcomes(scope: Scope, goal: Goal | null): Promise<OutcomeQuestion | null> {
  const valued: readonly Outcome[] = goal?.value ? ["conversion_value"] : [];
  return knownOutcomes(scope, goal ? [goal] : [], goal ? [...OF_CONVERSIONS, ...valued] : []);
}

/**
 * The outcomes of one of several sites: conversions of its goals and their rate where it has any, and money where it has any.
 * Values of goals are amounts in the currency of their site, so they are left out.
 *
 * @returns null where there is nothing to show.
 */
export const siteOutcomes = (scope: Scope, goals: readonly Goal[]): Promise<OutcomeQuestion | null> =>
  knownOutcomes(scope, goals, goals.length > 0 ? OF_CONVERSIONS : []);

async function knownOutcomes(
  scope: Scope,
  goals: readonly Goal[],
  ofGoals: readonly Outcome[],
): Promise<OutcomeQuestion | null> {
  const [[found]] = await queryCopy<[{ sold: boolean }[]]>(
    scope,
    sql`SELECT count(*) > 0 AS sold FROM (FROM money LIMIT 1) AS sale`,
  );
  const outcomes = [...ofGoals, ...(found?.sold ? OF_MONEY : [])];
  return outcomes.length > 0 ? outcomeQuestion(scope, outcomes, goals) : null;
}

/** The sums of visits and events that an outcome is divided by. */
export const partsFor = (outcome: Outcome): readonly Part[] => (outcome === "conversion_rate" ? ["visitors"] : []);

/** What a sale needs besides its own columns to be found by dimensions. */
const columnsFor = (by: readonly BreakdownKey[], valued: readonly Goal[]): Sql =>
  by.some((key) => propertyIn(key) !== null) || valued.some(isOfRevenue) ? sql`, fact.props` : empty;

/** The statements that `furtherOutcomes` needs before it. */
export const outcomeTables = ({ scope, rates, valued }: OutcomeQuestion, by: readonly BreakdownKey[]): Sql[] =>
  rates ? [salesTable(scope, columnsFor(by, valued))] : [];

/** SQL that begins one statement on the sales by dimensions, and on other tables: they take a fifth of the time of tables that stay. */
function withTables(question: OutcomeQuestion, by: readonly BreakdownKey[], others: readonly Sql[] = []): Sql {
  const { scope, rates, valued } = question;
  const tables = [...(rates ? [sql`sale AS MATERIALIZED (${salesIn(scope, columnsFor(by, valued))})`] : []), ...others];
  return tables.length > 0 ? sql`WITH ${join(tables)}` : empty;
}

const MONEY = sql`DECIMAL(38, 15)`;
/** No rows, which have all columns. */
const COLUMNS = sql`
  SELECT 0::BIGINT AS conversions, 0::BIGINT AS converters, NULL::${MONEY} AS worth, 0::BIGINT AS sales, 0::BIGINT AS orders, 0::BIGINT AS priced,
    NULL::${MONEY} AS revenue, NULL::${MONEY} AS paid, ${sumColumns({})} WHERE false`;

const counted = (name: string) => raw(`coalesce(sum(${name}), 0)::BIGINT AS ${name}`);
const ADDED_OUTCOMES = join([
  ...["conversions", "converters", "sales", "orders", "priced"].map(counted),
  raw("sum(worth)::VARCHAR AS worth"),
  raw("sum(revenue)::VARCHAR AS revenue"),
  raw("sum(paid)::VARCHAR AS paid"),
]);

/** The outcomes of a question by dimensions, after `outcomeTables`. */
export const furtherOutcomes = (question: OutcomeQuestion, by: readonly BreakdownKey[]): FurtherSums => ({
  rows: outcomeRows(question, by),
  columns: ADDED_OUTCOMES,
  having: sql`sum(partial.conversions) > 0 OR sum(partial.sales) > 0`,
});

/** What is counted of events that convert, and of sales by their kind, currency and day. */
const CONVERSIONS = sql`count(*) AS conversions,
  count(DISTINCT ${VISITOR}) FILTER (WHERE fact.visitor_id IS NOT NULL) AS converters, sum(fact.worth) AS worth`;
const SOLD = sql`count(*) AS number, count(fact.amount) AS amounts, sum(fact.amount) AS amount`;
const OF_SOLD = sql`fact.kind, fact.currency, fact.day, `;
const COUNTED_SALES = { table: sql`sale`, where: sql`NOT fact.repeated` };

/** SQL for what an event is worth to goals with an amount or a property. */
function worthIn({ valued }: OutcomeQuestion): Sql {
  const worths = valued.flatMap((goal) => {
    const { value } = goal;
    if (value?.of !== "amount" && value?.of !== "property") return [];
    const number = value.of === "amount" ? sql`${value.amount}` : propertyText(value.property);
    return [sql`coalesce(CASE WHEN ${reaching(goal)} THEN TRY_CAST(${number} AS DECIMAL(22, 9)) END, 0)::${MONEY}`];
  });
  return worths.length > 0 ? sql`(${join(worths, " + ")})::${MONEY}` : sql`NULL::${MONEY}`;
}

/** SQL for rows of worth by keys: the sales that reach goals whose value is their revenue, once for each goal. @param tally of some sales. */
function revenueWorth(question: OutcomeQuestion, keys: readonly Sql[], tally: (facts: Facts) => Sql): Sql[] {
  const { scope, rates, valued } = question;
  return valued.filter(isOfRevenue).map((goal) => {
    const { table, where } = COUNTED_SALES;
    const sold = tally({ table, where: sql`${where} AND ${reaching(goal)}` });
    const listed = keys.length > 0 ? sql`${join([...keys])},` : empty;
    return sql`SELECT ${listed} revenue AS worth FROM (${priced(scope, rates ?? [], keys, sold)}) AS earned`;
  });
}

/** SQL for the events that convert, in visits of the source and campaign that they are given to, with what they are worth. */
function conversionsIn(question: OutcomeQuestion): Sql {
  const { scope, converts } = question;
  const where = converts ?? sql`true`;
  return sql`
    SELECT fact.*, ${worthIn(question)} AS worth
    FROM ${credited(scope, { table: sql`event`, where })} AS fact WHERE ${eventsIn(scope)} AND ${where}`;
}

/** SQL for rows `k0, k1, …` of outcomes. @param trend for each of its buckets, in a column `bucket`. */
function outcomeRows(question: OutcomeQuestion, by: readonly BreakdownKey[], trend: Trend | null = null): Sql {
  const { scope, converts, rates, asked } = question;
  const grouped = {
    by,
    whole: wholeVisits(scope),
    also: trend ? sql`buckets.number AS bucket, ` : empty,
    joined: trend ? bucketed(scope, trend) : empty,
  };
  const events = { table: sql`(${conversionsIn(question)})`, where: sql`true` };
  const keys = [...by.map((_, index) => KEYS[index] as Sql), ...(trend ? [raw("bucket")] : [])];
  const sold = (facts: Facts) => tallied({ ...grouped, facts, also: sql`${grouped.also} ${OF_SOLD}`, columns: SOLD });
  const parts = [
    converts && tallied({ ...grouped, facts: events, columns: CONVERSIONS }),
    rates && asked.some(isOfMoney) && priced(scope, rates, keys, sold(COUNTED_SALES)),
    ...revenueWorth(question, keys, sold),
  ];
  return unionOfParts(parts.flatMap((part) => (part ? [withWords({ by }, part)] : [])));
}

const unionOfParts = (parts: readonly Sql[]): Sql =>
  join([COLUMNS, ...parts.map((part) => sql`FROM (${part})`)], " UNION ALL BY NAME ");

/** SQL for rows of money by keys, from rows of `SOLD`. */
function priced(scope: Scope, rates: Rates, keys: readonly Sql[], sold: Sql): Sql {
  const listed = keys.length > 0 ? sql`${join([...keys])},` : empty;
  return sql`
    SELECT ${listed} sum(number) AS sales, sum(number) FILTER (WHERE kind = 'purchase') AS orders,
      sum(amounts) FILTER (WHERE kind = 'purchase' AND known) AS priced, sum(worth) AS revenue,
      sum(worth) FILTER (WHERE kind = 'purchase') AS paid
    FROM (
      SELECT part.*, part.currency = ${scope.currency} OR rate.currency IS NOT NULL AS known,
        ${converted(sql`part.amount`, sql`part.currency`, scope)} AS worth
      FROM (${sold}) AS part
      LEFT JOIN ${ratesTable(rates)} AS rate ON rate.currency = part.currency AND rate.day = part.day) AS priced
    GROUP BY ALL`;
}

/** The outcomes of some combinations of values in each bucket of a trend, as `sumsOfRows` has other sums. */
export async function outcomesOfRows(
  question: OutcomeQuestion,
  trend: Trend,
  by: readonly BreakdownKey[],
  rows: readonly (string | null)[][],
): Promise<OutcomeSums[][]> {
  if (rows.length === 0) return [];
  const keys = by.map((_, index) => KEYS[index] as Sql);
  const chosen = by.length > 0 ? isAmong(keys, rows) : sql`true`;
  const [found] = await queryCopy<[(OutcomeSums & { values: (string | null)[]; bucket: number })[]]>(
    question.scope,
    sql`
    ${withTables(question, by)}
    SELECT ${by.length > 0 ? sql`[${join(keys)}]` : sql`[]::VARCHAR[]`} AS values, bucket, ${ADDED_OUTCOMES}
    FROM (${outcomeRows(question, by, trend)}) AS partial WHERE ${chosen} GROUP BY ${join([...keys, raw("bucket")])}`,
  );
  const known = new Map(found.map((row) => [JSON.stringify([row.values, Number(row.bucket)]), row]));
  return rows.map((values) =>
    trend.starts.map((_, index) => known.get(JSON.stringify([values, index])) ?? NO_OUTCOMES),
  );
}

/** Values of a dimension. */
interface ValueList {
  key: DimensionKey;
  values: readonly (string | null)[];
}

/** The outcomes of a whole scope, and of values of several dimensions, list by list. The events that led to them are read once. */
export async function outcomesOfLists(
  question: OutcomeQuestion,
  lists: readonly ValueList[],
): Promise<{ total: OutcomeSums; lists: Map<string | null, OutcomeSums>[] }> {
  const { scope, converts, rates, asked } = question;
  const conversion = sql`conversion AS MATERIALIZED (
    SELECT fact.day, fact.visitor_id, fact.visit_id, fact.page, fact.name, fact.type, fact.referrer, fact.campaign, fact.place,
      fact.agent, fact.worth
    FROM (${conversionsIn(question)}) AS fact)`;
  const visits = [
    ...(rates ? [sql`SELECT visit_id FROM sale`] : []),
    ...(converts ? [sql`SELECT visit_id FROM conversion`] : []),
  ];
  const whole = sql`whole AS MATERIALIZED (
    FROM ${wholeVisits(scope)} AS visit
    WHERE pageviews > 0 AND visit_id IN (${join(visits, " UNION ALL ")}))`;
  const listed = (facts: Facts, columns: Sql, also = empty) =>
    join(
      [
        tallied({ by: [], whole: empty, facts, columns, also: sql`-1 AS list, NULL AS value, ${also}` }),
        ...lists.map(({ key, values }, index) => {
          const isOnVisits = ONLY_ON_VISITS.has(key);
          const among = isAmong(
            [raw("value")],
            values.map((value) => [value]),
          );
          return tallied({
            by: [],
            whole: empty,
            facts: key === "event" ? { ...facts, where: sql`${facts.where} AND ${ofTypes(NAMED_EVENTS)}` } : facts,
            columns,
            also: sql`${index} AS list, word.value, ${also}`,
            joined: sql`
              ${isOnVisits ? sql`JOIN whole ON whole.visit_id = fact.visit_id` : empty}
              JOIN (FROM ${valuesOf(key)} AS word WHERE ${among}) AS word ON word.id = ${isOnVisits ? raw(`whole.${key}`) : dimensionId(key)}`,
          });
        }),
      ],
      " UNION ALL ",
    );
  const keys = [raw("list"), raw("value")];
  const parts = [
    converts && listed({ table: sql`conversion`, where: sql`true` }, CONVERSIONS),
    rates && asked.some(isOfMoney) && priced(scope, rates, keys, listed(COUNTED_SALES, SOLD, OF_SOLD)),
    ...revenueWorth(question, keys, (facts) => listed(facts, SOLD, OF_SOLD)),
  ];
  const [found] = await queryCopy<[(OutcomeSums & { list: number; value: string | null })[]]>(
    scope,
    sql`
    ${withTables(question, [], [...(converts ? [conversion] : []), whole])}
    SELECT list, value, ${ADDED_OUTCOMES} FROM (${unionOfParts(parts.flatMap((part) => part || []))}) AS partial GROUP BY ALL`,
  );
  const inList = (place: number) =>
    new Map(found.filter(({ list }) => list === place).map(({ value, ...sums }) => [value, sums]));
  return { total: inList(-1).get(null) ?? NO_OUTCOMES, lists: lists.map((_, index) => inList(index)) };
}

/** The outcomes of a whole scope. */
export async function outcomesIn(question: OutcomeQuestion): Promise<OutcomeSums> {
  const [[total]] = await queryCopy<[OutcomeSums[]]>(
    question.scope,
    sql`${withTables(question, [])} SELECT ${ADDED_OUTCOMES} FROM (${outcomeRows(question, [])}) AS partial`,
  );
  return total ?? NO_OUTCOMES;
}

/** The outcomes of sums as numbers; money is in units of the currency, rounded to its decimal places. */
export function outcomesOf(
  sums: OutcomeSums,
  { visitors }: Pick<Sums, "visitors">,
  currency: string,
): Record<Outcome, number | null> {
  return {
    conversions: sums.conversions,
    conversion_rate: conversionRate(sums.converters, visitors),
    conversion_value: Number(rounded(sums.worth, currency)),
    revenue: Number(rounded(sums.revenue, currency)),
    orders: sums.orders,
    average_order_value: sums.priced > 0 ? Number(rounded(sums.paid, currency, sums.priced)) : null,
  };
}

/** SQL over the columns of `furtherOutcomes` by which rows are sorted as they are shown. */
export function outcomeOrder(outcome: Outcome, currency: string): Sql {
  const digits = sql`${digitsOf(currency)}::INTEGER`;
  const orders: Record<Outcome, Sql> = {
    conversions: raw("coalesce(sum(partial.conversions), 0)"),
    conversion_rate: raw(
      "CASE WHEN sum(partial.visitors) > 0 THEN least(1, coalesce(sum(partial.converters), 0)::DOUBLE / sum(partial.visitors)) END",
    ),
    conversion_value: sql`round(round(coalesce(sum(partial.worth), 0), 12), ${digits})`,
    revenue: sql`round(round(coalesce(sum(partial.revenue), 0), 12), ${digits})`,
    orders: raw("coalesce(sum(partial.orders), 0)"),
    average_order_value: sql`
      CASE WHEN sum(partial.priced) > 0 THEN round(sum(partial.paid)::DOUBLE / sum(partial.priced), ${digits}) END`,
  };
  return orders[outcome];
}

/** The outcomes that a question asks for, of sums; the others are left out. */
export function askedOf(
  question: OutcomeQuestion | null,
  sums: OutcomeSums | undefined,
  visitors: Pick<Sums, "visitors">,
): Partial<Record<Outcome, number | null>> {
  if (!question) return {};
  const all = outcomesOf(sums ?? NO_OUTCOMES, visitors, question.scope.currency);
  return Object.fromEntries(question.asked.map((outcome) => [outcome, all[outcome]]));
}

const EXAMPLES: Record<Outcome, number> = {
  conversions: 11,
  conversion_rate: 0.07,
  conversion_value: 137.5,
  revenue: 441,
  orders: 9,
  average_order_value: 49,
};
const NOT_ASKED = " Left out without a goal, or without sales.";

export const GOAL_ABOUT = "Name of a goal or event; its conversions and their rate are among the metrics";
export const currencyOfOutcomes = currencyCode
  .nullable()
  .meta({ description: "The currency of `revenue` and `average_order_value`; null without sales", examples: ["EUR"] });

/** Of metrics and rows of a dashboard. */
export const outcomeFields = Object.fromEntries(
  (Object.keys(OUTCOMES) as Outcome[]).map((outcome) => [
    outcome,
    z
      .number()
      .nullable()
      .optional()
      .meta({ description: OUTCOMES[outcome].about + NOT_ASKED, examples: [EXAMPLES[outcome]] }),
  ]),
) as Record<Outcome, z.ZodOptional<z.ZodNullable<z.ZodNumber>>>;
