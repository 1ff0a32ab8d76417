import { z } from "zod";
import { digitsOf, rounded } from "@/lib/analytics/money/amounts";
import { converted, type Rates, ratesFor, ratesTable } from "@/lib/analytics/money/rates";
import { salesTable } from "@/lib/analytics/money/sales";
import { conversionRate, converting } from "@/lib/analytics/query/conversions";
import type { BreakdownKey } from "@/lib/analytics/query/dimensions";
import type { Goal } from "@/lib/analytics/query/goals";
import { type FurtherSums, isAmong } from "@/lib/analytics/query/groups";
import type { Sums } from "@/lib/analytics/query/metrics";
import { eventsIn, query, type Scope, wholeVisits } from "@/lib/analytics/query/scope";
import { KEYS, type Part, sumColumns, tallied, VISITOR, withWords } from "@/lib/analytics/query/sums-sql";
import { bucketed, type Trend } from "@/lib/analytics/reports/trend";
import { currencyCode } from "@/lib/contract/fields";
import { OUTCOMES, type Outcome } from "@/lib/contract/vocabulary";
import { empty, join, raw, type Sql, sql } from "@/lib/platform/sql";

/** What visits led to, by any dimensions: conversions, orders and revenue. */

export interface OutcomeSums {
  conversions: number;
  converters: number;
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
  sales: 0,
  orders: 0,
  priced: 0,
  revenue: null,
  paid: null,
};

/** The outcomes that a report asks for in a scope. */
export interface OutcomeQuestion {
  scope: Scope;
  /** SQL for the events that convert; null where conversions are not asked for. */
  converts: Sql | null;
  /** Null where money is not asked for. */
  rates: Rates | null;
}

const OF_MONEY: readonly Outcome[] = ["revenue", "orders", "average_order_value"];
const OF_CONVERSIONS: readonly Outcome[] = ["conversions", "conversion_rate"];
const isOfMoney = (outcome: Outcome): boolean => OF_MONEY.includes(outcome);

/** @param goals what converts. */
export async function outcomeQuestion(
  scope: Scope,
  outcomes: readonly Outcome[],
  goals: readonly Goal[],
): Promise<OutcomeQuestion> {
  return {
    scope,
    converts: outcomes.some((one) => !isOfMoney(one)) ? converting(goals) : null,
    rates: outcomes.some(isOfMoney) ? await ratesFor(scope) : null,
  };
}

/**
 * The outcomes of a dashboard: conversions and their rate of a chosen goal, and money where the site has any.
 *
 * @returns null where there is nothing to show.
 */
export async function dashboardOutcomes(scope: Scope, goal: Goal | null): Promise<OutcomeQuestion | null> {
  const [[found]] = await query<[{ sold: boolean }[]]>(
    scope,
    sql`SELECT count(*) > 0 AS sold FROM (FROM money LIMIT 1) AS sale`,
  );
  if (goal === null && !found?.sold) return null;
  const outcomes = [...(goal ? OF_CONVERSIONS : []), ...(found?.sold ? OF_MONEY : [])];
  return outcomeQuestion(scope, outcomes, goal ? [goal] : []);
}

/** The names of the outcomes that a question asks for. */
const outcomesAsked = ({ converts, rates }: OutcomeQuestion): Outcome[] => [
  ...(converts ? OF_CONVERSIONS : []),
  ...(rates ? OF_MONEY : []),
];

/** The sums of visits and events that an outcome is divided by. */
export const partsFor = (outcome: Outcome): readonly Part[] => (outcome === "conversion_rate" ? ["visitors"] : []);

/** What a sale needs besides its own columns to be found by any dimension. */
const SALE_COLUMNS = sql`, fact.place, fact.agent, fact.traffic, fact.props`;

/** The statements that `furtherOutcomes` needs before it. */
export const outcomeTables = ({ scope, rates }: OutcomeQuestion): Sql[] =>
  rates ? [salesTable(scope, SALE_COLUMNS)] : [];

const MONEY = sql`DECIMAL(38, 15)`;
/** No rows, which have all columns. */
const COLUMNS = sql`
  SELECT 0::BIGINT AS conversions, 0::BIGINT AS converters, 0::BIGINT AS sales, 0::BIGINT AS orders, 0::BIGINT AS priced,
    NULL::${MONEY} AS revenue, NULL::${MONEY} AS paid, ${sumColumns({})} WHERE false`;

const counted = (name: string) => raw(`coalesce(sum(${name}), 0)::BIGINT AS ${name}`);
const ADDED_OUTCOMES = join([
  ...["conversions", "converters", "sales", "orders", "priced"].map(counted),
  raw("sum(revenue)::VARCHAR AS revenue"),
  raw("sum(paid)::VARCHAR AS paid"),
]);

/** The outcomes of a question by dimensions, after `outcomeTables`. */
export const furtherOutcomes = (question: OutcomeQuestion, by: readonly BreakdownKey[]): FurtherSums => ({
  rows: outcomeRows(question, by),
  columns: ADDED_OUTCOMES,
  having: sql`sum(partial.conversions) > 0 OR sum(partial.sales) > 0`,
});

interface OutcomeRows {
  /** For each of its buckets, in a column `bucket`. */
  trend?: Trend | undefined;
  /** A table of the converting events, if there is one. */
  from?: { table: Sql; where: Sql };
}

/** SQL for rows `k0, k1, …` of outcomes. */
function outcomeRows(
  { scope, converts, rates }: OutcomeQuestion,
  by: readonly BreakdownKey[],
  { trend, from }: OutcomeRows = {},
): Sql {
  const grouped = {
    by,
    whole: wholeVisits(scope),
    also: trend ? sql`buckets.number AS bucket, ` : empty,
    joined: trend ? bucketed(scope, trend) : empty,
  };
  const conversions =
    converts &&
    tallied({
      ...grouped,
      facts: from ?? { table: sql`event`, where: sql`${eventsIn(scope)} AND ${converts}` },
      columns: sql`count(*) AS conversions,
        count(DISTINCT ${VISITOR}) FILTER (WHERE fact.visitor_id IS NOT NULL) AS converters`,
    });
  const sold =
    rates &&
    tallied({
      ...grouped,
      facts: { table: sql`sale`, where: sql`NOT fact.repeated` },
      also: sql`${grouped.also} fact.kind, fact.currency, fact.day, `,
      columns: sql`count(*) AS number, count(fact.amount) AS amounts, sum(fact.amount) AS amount`,
    });
  const keys = [...by.map((_, index) => KEYS[index] as Sql), ...(trend ? [raw("bucket")] : [])];
  const listed = keys.length > 0 ? sql`${join(keys)},` : empty;
  const money =
    sold &&
    rates &&
    sql`
    SELECT ${listed} sum(number) AS sales, sum(number) FILTER (WHERE kind = 'purchase') AS orders,
      sum(amounts) FILTER (WHERE kind = 'purchase' AND known) AS priced, sum(worth) AS revenue,
      sum(worth) FILTER (WHERE kind = 'purchase') AS paid
    FROM (
      SELECT part.*, part.currency = ${scope.currency} OR rate.currency IS NOT NULL AS known,
        ${converted(sql`part.amount`, sql`part.currency`, scope)} AS worth
      FROM (${sold}) AS part
      LEFT JOIN ${ratesTable(rates)} AS rate ON rate.currency = part.currency AND rate.day = part.day) AS priced
    GROUP BY ALL`;
  const parts = [conversions, money].flatMap((part) => (part ? [sql`FROM (${withWords({ by }, part)})`] : []));
  return join([COLUMNS, ...parts], " UNION ALL BY NAME ");
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
  const results = await query(
    question.scope,
    ...outcomeTables(question),
    sql`
    SELECT ${by.length > 0 ? sql`[${join(keys)}]` : sql`[]::VARCHAR[]`} AS values, bucket, ${ADDED_OUTCOMES}
    FROM (${outcomeRows(question, by, { trend })}) AS partial WHERE ${chosen} GROUP BY ${join([...keys, raw("bucket")])}`,
  );
  const found = results.at(-1) as unknown as (OutcomeSums & { values: (string | null)[]; bucket: number })[];
  const known = new Map(found.map((row) => [JSON.stringify([row.values, Number(row.bucket)]), row]));
  return rows.map((values) =>
    trend.starts.map((_, index) => known.get(JSON.stringify([values, index])) ?? NO_OUTCOMES),
  );
}

/** A list of values of a dimension. */
interface ValueList {
  key: BreakdownKey;
  values: readonly (string | null)[];
}

/** The outcomes of values of several dimensions, list by list. The events that led to them are read once. */
export async function outcomesOfLists(
  question: OutcomeQuestion,
  lists: readonly ValueList[],
): Promise<Map<string | null, OutcomeSums>[]> {
  const shown = lists.flatMap((list, index) => (list.values.length > 0 ? [{ ...list, index }] : []));
  if (shown.length === 0) return lists.map(() => new Map());
  const { scope, converts } = question;
  const gathered =
    converts &&
    sql`
    CREATE TEMP TABLE conversion AS
    SELECT fact.day, fact.visitor_id, fact.visit_id, fact.page, fact.name, fact.type, fact.referrer, fact.campaign, fact.place,
      fact.agent, fact.traffic
    FROM event AS fact WHERE ${eventsIn(scope)} AND ${converts}`;
  const from = { table: sql`conversion`, where: sql`true` };
  const parts = shown.map(
    ({ key, values, index }) => sql`
    SELECT ${index}::INTEGER AS list, k0 AS value, ${ADDED_OUTCOMES}
    FROM (${outcomeRows(question, [key], { from })}) AS partial
    WHERE ${isAmong(
      [KEYS[0] as Sql],
      values.map((value) => [value]),
    )} GROUP BY k0`,
  );
  const results = await query(
    scope,
    ...outcomeTables(question),
    ...(gathered ? [gathered] : []),
    join(parts, " UNION ALL "),
  );
  const found = results.at(-1) as unknown as (OutcomeSums & { list: number; value: string | null })[];
  return lists.map(
    (_, index) => new Map(found.filter(({ list }) => list === index).map(({ value, ...sums }) => [value, sums])),
  );
}

/** The outcomes of a whole scope. */
export async function outcomesIn(question: OutcomeQuestion): Promise<OutcomeSums> {
  const results = await query(
    question.scope,
    ...outcomeTables(question),
    sql`SELECT ${ADDED_OUTCOMES} FROM (${outcomeRows(question, [])}) AS partial`,
  );
  return (results.at(-1)?.[0] as unknown as OutcomeSums | undefined) ?? NO_OUTCOMES;
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
  return Object.fromEntries(outcomesAsked(question).map((outcome) => [outcome, all[outcome]]));
}

const EXAMPLES: Record<Outcome, number> = {
  conversions: 11,
  conversion_rate: 0.07,
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
