import { z } from "zod";
import { dateOfNumber, dayNumbers } from "@/lib/analytics/buckets";
import { dayOf, type Scope } from "@/lib/analytics/question";
import { Prisma } from "@/lib/db";

/** Money is stored in the currency it was paid in, and told in the site's reporting currency by the rate of its day. */

export const moneyShape = z
  .object({
    amount: z
      .string()
      .regex(/^-?\d+(\.\d+)?$/)
      .meta({ description: "Decimal text such as 12.34", examples: ["12.34"] }),
    currency: z.string().length(3),
  })
  .meta({ id: "Money" });
export type Money = z.infer<typeof moneyShape>;

/** The decimal places of a currency (ISO 4217): 2 for EUR, 0 for JPY. */
export const digitsOf = (currency: string): number =>
  new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;

/**
 * SQL for an amount in the reporting currency, by the rate of the local day of its moment; null where there is no rate.
 * Rounded only when it is told, so that sums stay exact.
 */
export const converted = (scope: Scope, amount: Prisma.Sql, currency: Prisma.Sql, moment: Prisma.Sql): Prisma.Sql =>
  convertedOn(scope, amount, currency, dateOf(scope, moment));

/** The same by the rate of a local date. What many amounts of one day come to is converted together: a rate costs a look-up. */
export function convertedOn(scope: Scope, amount: Prisma.Sql, currency: Prisma.Sql, day: Prisma.Sql): Prisma.Sql {
  const { siteId, currency: told } = scope;
  return Prisma.sql`CASE WHEN ${currency} = ${told} THEN ${amount} ELSE ${amount}
    * units_per_euro(${siteId}, ${told}, ${day}) / units_per_euro(${siteId}, ${currency}::text, ${day}) END`;
}

/** SQL for the local date of a moment, by the zone rules of this process. */
export function dateOf(scope: Scope, moment: Prisma.Sql): Prisma.Sql {
  const dates = dayNumbers(scope.days, scope.range.timezone).map(dateOfNumber);
  return Prisma.sql`(${dates}::date[])[${dayOf(moment, scope)} + 1]`;
}

/**
 * SQL for a sum as it is told: rounded to the places of the reporting currency, as text; nothing is zero. What divisions
 * by rates left beyond twelve places is taken off first, so that a half stays a half in whatever order it was added up.
 */
export const told = (sum: Prisma.Sql, currency: string): Prisma.Sql =>
  Prisma.sql`round(round(coalesce(${sum}, 0), 12), ${digitsOf(currency)}::int)::text`;

/** No money at all, as it is told. */
export const noMoney = (currency: string): string => (0).toFixed(digitsOf(currency));
