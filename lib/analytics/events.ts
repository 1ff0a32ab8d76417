import { anyOf, type Reached } from "@/lib/analytics/conversions";
import { wordsOf } from "@/lib/analytics/dimensions";
import { NAMED_EVENTS } from "@/lib/analytics/event-types";
import { ofTypes } from "@/lib/analytics/filters";
import { EVENT_NAMES, listed, reachings } from "@/lib/analytics/listings";
import { noMoney, told } from "@/lib/analytics/money";
import { dayOf, eventsIn, type Scope } from "@/lib/analytics/question";
import { type Lists, tableOf } from "@/lib/analytics/rollup-lists";
import { revenueBy, type Sales } from "@/lib/analytics/sales";
import { Prisma, reports } from "@/lib/db";

/** How often named events happened, and what they brought in. */

export interface EventNumbers {
  count: number;
  visitors: number;
  /** Decimal text in the reporting currency. */
  revenue: string;
}

export interface EventRow extends EventNumbers {
  event: string;
}

/** The names of events with the most visitors, passive events among them. @param among only these names. */
export async function eventRows(
  sales: Sales,
  limit: number,
  among: readonly string[] | null = null,
): Promise<EventRow[]> {
  const { scope } = sales;
  const asked = among ? Prisma.sql`WHERE word = ANY(${among}::text[])` : Prisma.empty;
  const { lists, left } = await listed(scope, [EVENT_NAMES]);
  const parts = [...left.map(namesIn), ...lists.map((list) => rowsOf(list, Prisma.sql`one.id`))];
  return reports().$queryRaw`
    WITH counted AS (
      SELECT key, sum(count)::int AS count, sum(visitors)::int AS visitors
      FROM (${Prisma.join(parts, " UNION ALL ")}) AS part(key, count, visitors) GROUP BY key)
    SELECT word AS event, count, visitors, ${told(Prisma.sql`earned.revenue`, scope.currency)} AS revenue
    FROM counted JOIN ${wordsOf("event", scope.siteId)} AS words(id, word) ON words.id = counted.key
    LEFT JOIN ${revenueBy(sales, Prisma.sql`fact.name`, Prisma.sql`WHERE ${ofTypes(NAMED_EVENTS)}`)} AS earned
      ON earned.key = counted.key ${asked}
    ORDER BY visitors DESC, count DESC, word LIMIT ${limit}`;
}

const namesIn = (scope: Scope): Prisma.Sql => Prisma.sql`
  SELECT key, sum(count) AS count, count(visitor_id) AS visitors FROM (
    SELECT fact.name AS key, ${dayOf(Prisma.sql`fact.ts`, scope)} AS day, fact.visitor_id, count(*) AS count
    FROM facts.event AS fact WHERE ${eventsIn(scope)} AND ${ofTypes(NAMED_EVENTS)}
    GROUP BY 3, 2, 1) AS seen GROUP BY key`;

const rowsOf = (list: Lists, key: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT ${key}, count, visitors FROM ${tableOf(list, ["events", "visitors"])} AS one(id, count, visitors)`;

/** The numbers of what never happened. */
export const nothingOf = (currency: string): EventNumbers => ({ count: 0, visitors: 0, revenue: noMoney(currency) });

/** The numbers of each goal, in one pass over the events that reach any of them. */
export async function goalNumbers(sales: Sales, goals: readonly Reached[]): Promise<EventNumbers[]> {
  if (goals.length === 0) return [];
  const { scope } = sales;
  const which = goals.map(({ event }) => event.sql);
  const met = Prisma.sql`CROSS JOIN LATERAL unnest(ARRAY[${Prisma.join(which)}]) WITH ORDINALITY AS met(reached, goal)`;
  const goalsIn = (scope: Scope) => Prisma.sql`
    SELECT goal, sum(count) AS count, count(visitor_id) AS visitors FROM (
      SELECT met.goal, ${dayOf(Prisma.sql`fact.ts`, scope)} AS day, fact.visitor_id, count(*) AS count
      FROM facts.event AS fact ${met} WHERE ${eventsIn(scope)} AND ${anyOf(goals.map(({ event }) => event))} AND met.reached
      GROUP BY 3, 2, 1) AS seen GROUP BY goal`;
  const asked = goals.map(({ event }) => reachings(event.test));
  const { lists, left } = await listed(scope, asked);
  const parts = [...left.map(goalsIn), ...lists.map((list, index) => rowsOf(list, Prisma.sql`${index + 1}::bigint`))];
  const rows = await reports().$queryRaw<(EventNumbers & { goal: number })[]>`
    SELECT goal::int, count, visitors, ${told(Prisma.sql`earned.revenue`, scope.currency)} AS revenue FROM (
      SELECT goal, sum(count)::int AS count, sum(visitors)::int AS visitors
      FROM (${Prisma.join(parts, " UNION ALL ")}) AS part(goal, count, visitors) GROUP BY goal) AS counted
    LEFT JOIN ${revenueBy(sales, Prisma.sql`met.goal`, Prisma.sql`${met} WHERE met.reached`)} AS earned ON earned.key = goal`;
  const known = new Map(rows.map(({ goal, ...numbers }) => [goal, numbers]));
  return goals.map((_, index) => known.get(index + 1) ?? nothingOf(scope.currency));
}
