import { z } from "zod";
import { changeSite } from "@/lib/gateway/changes/site-revision";
import { type Db, db } from "@/lib/platform/db";
import { invalidInput, Refusal } from "@/lib/platform/errors";

/** Exchange rates that a site sets itself. They take precedence over the reference rates, each until the next one. */

const MAX_RATES = 5_000;
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/** Any currency except the euro. */
export const rateCurrency = z
  .string("must be a currency code such as USD")
  .toUpperCase()
  .refine(
    (code) => CURRENCIES.has(code) && code !== "EUR",
    "must be an ISO 4217 currency code other than EUR, such as USD",
  )
  .meta({ description: "ISO 4217 code of the currency", examples: ["USD"] });
export const rateDay = z.iso
  .date("must be a date such as 2026-11-20")
  .refine((day) => day >= "1999-01-01" && day <= "2100-12-31", "must be a date from 1999-01-01 to 2100-12-31")
  .meta({ description: "Local date from which the rate applies", examples: ["2026-11-20"] });
export const perEuro = z
  .string("must be decimal text such as 1.0895")
  .regex(/^\d{1,10}(\.\d{1,8})?$/, {
    error: "must be a number above 0 with at most 8 decimal places, such as 1.0895",
    abort: true,
  })
  .refine((text) => Number(text) > 0, "must be above 0")
  .meta({ description: "Units of the currency per euro, as decimal text", examples: ["1.0895"] });

export const rateShape = z.object({ currency: rateCurrency, day: rateDay, per_euro: perEuro });
export type OwnRate = z.output<typeof rateShape>;

const dateOf = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** Lists the rates of a site by currency, newest first. @param currency null for all currencies */
export async function listRates(siteId: number, currency: string | null = null, on: Db = db()): Promise<OwnRate[]> {
  const rows = await on.exchangeRate.findMany({
    where: { siteId, ...(currency !== null && { currency }) },
    orderBy: [{ currency: "asc" }, { day: "desc" }],
    take: MAX_RATES,
  });
  return rows.map(({ currency, day, perEuro }) => ({
    currency,
    day: day.toISOString().slice(0, 10),
    per_euro: perEuro.toFixed(),
  }));
}

/**
 * Sets the rate of a currency from a day on, until the next day with a rate.
 *
 * @returns the replaced rate of the same day; null if there was none
 * @throws Refusal `invalid_input` beyond 5,000 rates
 */
export async function setRate(tx: Db, siteId: number, { currency, day, per_euro }: OwnRate): Promise<OwnRate | null> {
  const key = { siteId, currency, day: dateOf(day) };
  const replaced = await tx.exchangeRate.findUnique({ where: { siteId_currency_day: key } });
  await tx.exchangeRate.upsert({
    where: { siteId_currency_day: key },
    create: { ...key, perEuro: per_euro },
    update: { perEuro: per_euro },
  });
  if ((await tx.exchangeRate.count({ where: { siteId } })) > MAX_RATES) {
    throw invalidInput([
      { path: "day", message: `exceeds the limit of ${MAX_RATES} rates per site; delete a rate first` },
    ]);
  }
  await changeSite(tx, siteId);
  return replaced && { currency, day, per_euro: replaced.perEuro.toFixed() };
}

/**
 * Deletes a rate.
 *
 * @returns the deleted rate, so that it can be set again
 * @throws Refusal `not_found` if the site has no such rate
 */
export async function deleteRate(
  tx: Db,
  siteId: number,
  { currency, day }: Omit<OwnRate, "per_euro">,
): Promise<OwnRate> {
  const where = { siteId_currency_day: { siteId, currency, day: dateOf(day) } };
  const rate = await tx.exchangeRate.findUnique({ where });
  if (!rate) throw new Refusal("not_found", "This rate does not exist or was already deleted.");
  await tx.exchangeRate.delete({ where });
  await changeSite(tx, siteId);
  return { currency, day, per_euro: rate.perEuro.toFixed() };
}
