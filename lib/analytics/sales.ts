import { NAMED_EVENTS } from "@/lib/analytics/dimensions";
import { ofTypes } from "@/lib/analytics/filters";
import { convertedOn, dateOf, digitsOf, type Money } from "@/lib/analytics/money";
import { eventsIn, type Scope } from "@/lib/analytics/question";
import { Prisma, reports } from "@/lib/db";

/**
 * What money came in and went out. Every event that carries revenue is a sale, whichever way it was sent; an event named
 * `purchase` is one even without an amount. An order counts once, with its earliest purchase in what is asked for: a later
 * purchase of the same `order_id` is a repetition and earns nothing. What is named `refund` takes its amount away, and so does
 * every negative amount.
 */
export interface Sales {
  scope: Scope;
  /** SQL for a table of the sales, with the columns of `facts.event` and `kind, order_id, day, amount, repeated`. */
  all: Prisma.Sql;
  /** The same without repeated orders. */
  counted: Prisma.Sql;
}

/** The sales of a scope. `kind` is purchase, refund or other; `amount` has a sign and is in `currency`. */
export async function salesOf(scope: Scope): Promise<Sales> {
  const { purchase = NONE, refund = NONE } = await namesOf(scope.siteId, ["purchase", "refund"]);
  const named = Prisma.sql`${ofTypes(NAMED_EVENTS)} AND fact.name`;
  const found = Prisma.sql`
    SELECT fact.*, ${dateOf(scope, Prisma.sql`fact.ts`)} AS day, ${ORDER_ID} AS order_id,
      CASE WHEN fact.revenue < 0 OR (${named} = ${refund}) THEN 'refund'
           WHEN ${named} = ${purchase} THEN 'purchase' ELSE 'other' END AS kind,
      CASE WHEN ${named} = ${refund} THEN -abs(fact.revenue) ELSE fact.revenue END AS amount
    FROM facts.event AS fact
    WHERE ${eventsIn(scope)} AND (fact.revenue IS NOT NULL OR (${named} = ${purchase}))`;
  const all = Prisma.sql`
    (SELECT *, kind = 'purchase' AND order_id IS NOT NULL
       AND row_number() OVER (PARTITION BY kind, order_id ORDER BY ts, visit_id, amount DESC) > 1 AS repeated
     FROM (${found}) AS found)`;
  return { scope, all, counted: Prisma.sql`(SELECT * FROM ${all} AS sale WHERE NOT repeated)` };
}

const NONE = -1;

/** The ids of names of events. */
export async function namesOf<Name extends string>(
  siteId: number,
  names: readonly Name[],
): Promise<Partial<Record<Name, number>>> {
  const rows = await reports().$queryRaw<{ name: Name; id: number }[]>`
    SELECT name, id FROM facts.name WHERE site_id = ${siteId} AND name = ANY(${names}::text[])`;
  return Object.fromEntries(rows.map(({ name, id }) => [name, id])) as Partial<Record<Name, number>>;
}

/** An id in which personal data was replaced is no id any more: many orders would share it. */
const ORDER_ID = Prisma.sql`
  CASE WHEN fact.props ->> 'order_id' !~ '\\((card|token|email|secret)\\)' THEN nullif(fact.props ->> 'order_id', '') END`;

/** SQL for a table `(key, revenue)`: what the sales that meet a condition come to, what could be converted of them. */
export function revenueBy({ scope, counted }: Sales, key: Prisma.Sql, more: Prisma.Sql = Prisma.empty): Prisma.Sql {
  const told = convertedOn(scope, Prisma.sql`amount`, Prisma.sql`currency`, Prisma.sql`day`);
  return Prisma.sql`
    (SELECT key, sum(${told}) AS revenue FROM (
      SELECT ${key} AS key, fact.currency, fact.day, sum(fact.amount) AS amount
      FROM ${counted} AS fact ${more} GROUP BY 1, 2, 3) AS earned GROUP BY key)`;
}

/** A currency's worth is told with its own number of places, but never with fewer than were sent. */
export const toldIn = (amount: string, currency: string): Money => {
  const [whole = "0", places = ""] = amount.split(".");
  const kept = places.replace(/0+$/, "").padEnd(digitsOf(currency), "0");
  return { amount: kept ? `${whole}.${kept}` : whole, currency };
};

const MOST_CURRENCIES = 100;

/** What could not be converted of the sales, by currency: no rate is known for the day. */
export async function unconvertedOf({ scope, counted }: Sales): Promise<Money[]> {
  const told = convertedOn(scope, Prisma.sql`amount`, Prisma.sql`currency`, Prisma.sql`day`);
  const rows = await reports().$queryRaw<{ currency: string; amount: string }[]>`
    SELECT currency, sum(amount)::text AS amount FROM (
      SELECT fact.currency, fact.day, sum(fact.amount) AS amount FROM ${counted} AS fact
      WHERE fact.amount IS NOT NULL GROUP BY 1, 2) AS earned
    WHERE (${told}) IS NULL GROUP BY currency ORDER BY currency LIMIT ${MOST_CURRENCIES}`;
  return rows.map(({ amount, currency }) => toldIn(amount, currency));
}
