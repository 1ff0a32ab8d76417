import type { Scope } from "@/lib/analytics/question";
import { Prisma, reports } from "@/lib/db";

/** A rate by which foreign money was told. */
export interface UsedRate {
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

/** The rates of currencies on days, in the order asked; those that are not known are left out. */
export function usedRates(scope: Scope, asked: readonly { currency: string; day: string }[]): Promise<UsedRate[]> {
  const { siteId, currency: reporting } = scope;
  const known = (code: Prisma.Sql) => Prisma.sql`
    LATERAL (SELECT 1::numeric AS per_euro, NULL::date AS day, false AS own WHERE ${code} = 'EUR'
      UNION ALL (SELECT per_euro, day, site_id <> 0 FROM exchange_rate
        WHERE currency = ${code} AND ${code} <> 'EUR' AND day <= asked.day
          AND (site_id = ${siteId} OR (site_id = 0 AND day > asked.day - 10))
        ORDER BY site_id = 0, day DESC LIMIT 1))`;
  return reports().$queryRaw`
    SELECT asked.currency, asked.day::text AS day, trim_scale(round(told.per_euro / paid.per_euro, 10))::text AS rate,
      least(paid.day, told.day)::text AS rate_date, CASE WHEN paid.own OR told.own THEN 'own' ELSE 'reference' END AS source
    FROM unnest(${asked.map(({ currency }) => currency)}::text[], ${asked.map(({ day }) => day)}::text[]::date[])
      WITH ORDINALITY AS asked(currency, day, place)
    CROSS JOIN ${known(Prisma.sql`asked.currency`)} AS paid CROSS JOIN ${known(Prisma.sql`${reporting}::text`)} AS told
    ORDER BY place`;
}
