import { z } from "zod";

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

/** No money at all, as it is told. */
export const noMoney = (currency: string): string => (0).toFixed(digitsOf(currency));
