import { type CommerceNames, commerceNames, namedAnyOf, ORDER_ID } from "@/lib/analytics/commerce-names";
import { convertedOn, dateOf, digitsOf, type Money } from "@/lib/analytics/money";
import { eventsIn, type Scope } from "@/lib/analytics/question";
import { packedFor, pieces } from "@/lib/analytics/sources";
import { type Db, Prisma, reports } from "@/lib/db";
import { within } from "@/lib/fact-index";

/**
 * What money came in and went out. Every event that carries revenue is a sale, whichever way it was sent; a purchase
 * (`COMMERCE_EVENTS` has its names) is one even without an amount. An order counts once, with its earliest purchase in what is
 * asked for: a later purchase of the same order is a repetition and earns nothing. A refund takes its amount away, and so does
 * every negative amount.
 */
export interface Sales {
  scope: Scope;
  /** SQL for a table of the sales, with columns of `facts.event` and `kind, order_id, day, amount, repeated`. */
  all: Prisma.Sql;
  /** The same without repeated orders. */
  counted: Prisma.Sql;
}

/**
 * The sales of a scope without their properties: those of packed days are kept on their own. `kind` is purchase, refund or
 * other; `amount` has a sign and is in `currency`.
 */
export async function salesOf(scope: Scope): Promise<Sales> {
  const [names, packed] = await Promise.all([commerceNames(reports(), scope.siteId), packedFor(scope)]);
  const left = pieces({ ...scope, sealed: packed }, Number.POSITIVE_INFINITY);
  const parts = left.map((part) => eventsOf(part, SOLD_COLUMNS, names));
  if (packed) {
    parts.push(Prisma.sql`
      SELECT ${SOLD_COLUMNS}, order_id FROM facts.sale AS fact
      WHERE fact.block = ANY(${packed.blocks[1]}::int[]) AND ${eventsIn(scope)}`);
  }
  return salesAmong(scope, Prisma.join(parts, " UNION ALL "), names);
}

/** The same with all columns of `facts.event`. */
export async function salesInFull(scope: Scope): Promise<Sales> {
  const names = await commerceNames(reports(), scope.siteId);
  return salesAmong(scope, eventsOf(scope, Prisma.sql`fact.*`, names), names);
}

/** The events of a packed day that are sales, for `facts.sale`. */
export async function keepSales(tx: Db, { siteId, range }: Scope, block: number): Promise<void> {
  const { purchase } = await commerceNames(tx, siteId);
  await tx.$executeRaw`
    INSERT INTO facts.sale (site_id, block, ${Prisma.join(SOLD)}, order_id)
    SELECT ${siteId}, ${block}, ${SOLD_COLUMNS}, ${ORDER_ID} FROM facts.event AS fact
    WHERE fact.site_id = ${siteId} AND ${within(Prisma.sql`fact.ts`, range)}
      AND (fact.revenue IS NOT NULL OR ${namedAnyOf(purchase)}) ORDER BY fact.ts`;
}

export const forgetSales = (tx: Db, siteId: number, block: number): Promise<number> =>
  tx.$executeRaw`DELETE FROM facts.sale WHERE site_id = ${siteId} AND block = ${block}`;

/** What reports on sales ask of an event, but for what its properties say. */
const SOLD = [
  Prisma.sql`ts`,
  Prisma.sql`visit_id`,
  Prisma.sql`visitor_id`,
  Prisma.sql`name`,
  Prisma.sql`page`,
  Prisma.sql`referrer`,
  Prisma.sql`campaign`,
  Prisma.sql`place`,
  Prisma.sql`agent`,
  Prisma.sql`type`,
  Prisma.sql`traffic`,
  Prisma.sql`revenue`,
  Prisma.sql`currency`,
];
/** Which of them an event may have none of; a sale has 0 then. */
const OPTIONAL: ReadonlySet<string> = new Set(["name", "campaign"]);
const SOLD_COLUMNS = Prisma.join(
  SOLD.map((column) =>
    OPTIONAL.has(column.sql) ? Prisma.sql`coalesce(fact.${column}, 0) AS ${column}` : Prisma.sql`fact.${column}`,
  ),
);

/** SQL for the sales among the events of a scope. */
const eventsOf = (scope: Scope, columns: Prisma.Sql, { purchase }: CommerceNames): Prisma.Sql => Prisma.sql`
  SELECT ${columns}, ${ORDER_ID} AS order_id FROM facts.event AS fact
  WHERE ${eventsIn(scope)} AND (fact.revenue IS NOT NULL OR ${namedAnyOf(purchase)})`;

function salesAmong(scope: Scope, events: Prisma.Sql, { purchase, refund }: CommerceNames): Sales {
  const found = Prisma.sql`
    SELECT fact.*, ${dateOf(scope, Prisma.sql`fact.ts`)} AS day,
      CASE WHEN fact.revenue < 0 OR ${namedAnyOf(refund)} THEN 'refund'
           WHEN ${namedAnyOf(purchase)} THEN 'purchase' ELSE 'other' END AS kind,
      CASE WHEN ${namedAnyOf(refund)} THEN -abs(fact.revenue) ELSE fact.revenue END AS amount
    FROM (${events}) AS fact`;
  // Ids of orders are told apart, not put into any order: numbers are compared faster than texts.
  const all = Prisma.sql`
    (SELECT *, kind = 'purchase' AND order_id IS NOT NULL
       AND row_number() OVER (PARTITION BY hashtextextended(order_id, 0), order_id, kind ORDER BY ts, visit_id, amount DESC) > 1 AS repeated
     FROM (${found}) AS found)`;
  return { scope, all, counted: Prisma.sql`(SELECT * FROM ${all} AS sale WHERE NOT repeated)` };
}

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
