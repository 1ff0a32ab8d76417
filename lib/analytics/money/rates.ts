import { dateOfNumber } from "@/lib/analytics/calendar/buckets";
import { NO_FILTERS } from "@/lib/analytics/query/filters";
import { eventsIn, queryCopy, type Scope } from "@/lib/analytics/query/scope";
import { reports } from "@/lib/platform/reports";
import { type Sql as PgSql, sql as pgSql, type Sql, sql } from "@/lib/platform/sql";

/** Exchange rates: money is reported in the site's currency by the rate of its local day. */

/** The value of one unit of a currency in the reporting currency on a day, as decimal text in two parts. */
interface DayRate {
  currency: string;
  /** The number of days since 1970-01-01. */
  day: number;
  /** The first nine decimal places, and the rest. */
  head: string;
  tail: string;
}

/** The rates by which the money of a scope is converted. The reporting currency needs none. */
export type Rates = readonly DayRate[];

/**
 * Reads the rates of the currencies and days that a scope has money of.
 *
 * @param ofItems also those of the currencies that purchases name in their properties, for items.
 */
export async function ratesFor(scope: Scope, ofItems = false): Promise<Rates> {
  const events = eventsIn({ ...scope, filters: NO_FILTERS });
  const sent = sql`SELECT fact.currency, fact.day FROM money AS fact WHERE fact.amount IS NOT NULL AND ${events}`;
  const named = sql`
    UNION ALL SELECT fact.items_currency, fact.day FROM money AS fact WHERE fact.kind = 'purchase' AND ${events}`;
  const [foreign] = await queryCopy<[{ currency: string; day: number }[]]>(
    scope,
    sql`SELECT DISTINCT currency, day FROM (${sent} ${ofItems ? named : sql``}) AS money
      WHERE currency <> ${scope.currency} AND regexp_full_match(currency, '[A-Z]{3}')`,
  );
  if (foreign.length === 0) return [];
  const { siteId, currency } = scope;
  const { rows } = await reports().query<DayRate>(pgSql`
    WITH rate AS (
      SELECT code, day, 1e30::numeric * units_per_euro(${siteId}, ${currency}, DATE '1970-01-01' + day)
        / units_per_euro(${siteId}, code, DATE '1970-01-01' + day) * 1e-30::numeric AS worth
      FROM unnest(${foreign.map((one) => one.currency)}::text[], ${foreign.map((one) => one.day)}::int[]) AS needed(code, day))
    SELECT code AS currency, day, trunc(worth, 9)::text AS head, trunc(worth - trunc(worth, 9), 24)::text AS tail
    FROM rate WHERE worth IS NOT NULL`);
  return rows;
}

/** SQL for a table `(currency, day, head, tail)` of rates. */
export const ratesTable = (rates: Rates): Sql => sql`(
  SELECT unnest(${rates.map(({ currency }) => currency)}::VARCHAR[]) AS currency,
    unnest(${rates.map(({ day }) => day)}::INTEGER[]) AS day,
    unnest(${rates.map(({ head }) => head)}::DECIMAL(38, 9)[]) AS head,
    unnest(${rates.map(({ tail }) => tail)}::DECIMAL(24, 24)[]) AS tail)`;

/**
 * SQL for an amount in the reporting currency; null without a rate. It needs a joined row `rate` of `ratesTable`. An
 * amount times a rate has more digits than a DECIMAL, so both parts of the rate are multiplied on their own. Larger
 * amounts are converted approximately.
 */
export function converted(amount: Sql, currency: Sql, { currency: reporting }: Scope): Sql {
  const times = (part: Sql) => sql`CAST(CAST(${amount} AS DECIMAL(22, 9)) * ${part} AS DECIMAL(38, 15))`;
  return sql`CASE WHEN ${currency} = ${reporting} THEN TRY_CAST(${amount} AS DECIMAL(38, 15)) ELSE coalesce(
    TRY(${times(sql`rate.head`)} + ${times(sql`rate.tail`)}),
    TRY_CAST(${amount}::DOUBLE * (rate.head::DOUBLE + rate.tail::DOUBLE) AS DECIMAL(38, 15))) END`;
}

/** A rate by which foreign money was converted. */
interface UsedRate {
  currency: string;
  /** The local day of the money. */
  day: string;
  /** Units of the reporting currency for one unit of `currency`, decimal text. */
  rate: string;
  /** The day the rate is of; for a cross rate, the older one's. */
  rate_date: string;
  /** Entered for the site, or the European Central Bank's. */
  source: "own" | "reference";
}

/** The rates of currencies on days, in the order given; unknown rates are left out. */
export async function usedRates(
  scope: Scope,
  money: readonly { currency: string; day: number }[],
): Promise<UsedRate[]> {
  if (money.length === 0) return [];
  const { siteId, currency: reporting } = scope;
  const [currencies, days] = [money.map(({ currency }) => currency), money.map(({ day }) => dateOfNumber(day))];
  const known = (code: PgSql) => pgSql`
    LATERAL (SELECT 1::numeric AS per_euro, NULL::date AS day, false AS own WHERE ${code} = 'EUR'
      UNION ALL (SELECT per_euro, day, site_id <> 0 FROM exchange_rate
        WHERE currency = ${code} AND ${code} <> 'EUR' AND day <= needed.day
          AND (site_id = ${siteId} OR (site_id = 0 AND day > needed.day - 10))
        ORDER BY site_id = 0, day DESC LIMIT 1))`;
  const { rows } = await reports().query<UsedRate>(pgSql`
    SELECT needed.currency, needed.day::text AS day, trim_scale(round(reported.per_euro / paid.per_euro, 10))::text AS rate,
      least(paid.day, reported.day)::text AS rate_date, CASE WHEN paid.own OR reported.own THEN 'own' ELSE 'reference' END AS source
    FROM unnest(${currencies}::text[], ${days}::text[]::date[]) WITH ORDINALITY AS needed(currency, day, place)
    CROSS JOIN ${known(pgSql`needed.currency`)} AS paid CROSS JOIN ${known(pgSql`${reporting}::text`)} AS reported
    ORDER BY place`);
  return rows;
}
