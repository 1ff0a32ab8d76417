import { z } from "zod";
import { changeSite } from "@/lib/gateway/changes/site-revision";
import { type Db, db } from "@/lib/platform/db";
import { invalidInput, Refusal } from "@/lib/platform/errors";

/** Rates of exchange that a site enters itself: they go before the reference rates, each until the next one's day. */

const MOST_RATES = 5_000;
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/** A currency that has a rate: any but the euro itself. */
export const rateCurrency = z
  .string("must be a currency code such as USD")
  .toUpperCase()
  .refine(
    (code) => CURRENCIES.has(code) && code !== "EUR",
    "must be a currency code of ISO 4217 other than EUR, such as USD",
  )
  .meta({ description: "ISO 4217 code of the currency", examples: ["USD"] });
export const rateDay = z.iso
  .date("must be a date such as 2026-11-20")
  .refine((day) => day >= "1999-01-01" && day <= "2100-12-31", "must be a day from 1999, when the euro began, to 2100")
  .meta({ description: "The local day from which the rate counts", examples: ["2026-11-20"] });
export const perEuro = z
  .string("must be decimal text such as 1.0895")
  .regex(/^\d{1,10}(\.\d{1,8})?$/, {
    error: "must be a number above 0 with at most 8 decimal places, such as 1.0895",
    abort: true,
  })
  .refine((text) => Number(text) > 0, "must be above 0")
  .meta({ description: "Units of the currency for one euro, as decimal text", examples: ["1.0895"] });

export const rateShape = z.object({ currency: rateCurrency, day: rateDay, per_euro: perEuro });
export type OwnRate = z.output<typeof rateShape>;

const dateOf = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** The rates that a site entered, by currency, the newest first; of one currency, or of all where it is null. */
export async function listRates(siteId: number, currency: string | null = null, on: Db = db()): Promise<OwnRate[]> {
  const rows = await on.exchangeRate.findMany({
    where: { siteId, ...(currency !== null && { currency }) },
    orderBy: [{ currency: "asc" }, { day: "desc" }],
    take: MOST_RATES,
  });
  return rows.map(({ currency, day, perEuro }) => ({
    currency,
    day: day.toISOString().slice(0, 10),
    per_euro: perEuro.toFixed(),
  }));
}

/**
 * Sets what a euro is worth from a day on, until the next day that has a rate of its own.
 *
 * @returns the rate of that day that it replaced; null where there was none.
 * @throws Refusal `invalid_input` for the 5,001st.
 */
export async function setRate(tx: Db, siteId: number, { currency, day, per_euro }: OwnRate): Promise<OwnRate | null> {
  const key = { siteId, currency, day: dateOf(day) };
  const replaced = await tx.exchangeRate.findUnique({ where: { siteId_currency_day: key } });
  await tx.exchangeRate.upsert({
    where: { siteId_currency_day: key },
    create: { ...key, perEuro: per_euro },
    update: { perEuro: per_euro },
  });
  if ((await tx.exchangeRate.count({ where: { siteId } })) > MOST_RATES) {
    throw invalidInput([
      { path: "day", message: `is one rate too many; a site has at most ${MOST_RATES}, so remove one` },
    ]);
  }
  await changeSite(tx, siteId);
  return replaced && { currency, day, per_euro: replaced.perEuro.toFixed() };
}

/**
 * Deletes a rate.
 *
 * @returns what was deleted, so that it can be set again.
 * @throws Refusal `not_found` for one that is not the site's (any more).
 */
export async function deleteRate(
  tx: Db,
  siteId: number,
  { currency, day }: Omit<OwnRate, "per_euro">,
): Promise<OwnRate> {
  const where = { siteId_currency_day: { siteId, currency, day: dateOf(day) } };
  const rate = await tx.exchangeRate.findUnique({ where });
  if (!rate) throw new Refusal("not_found", "That rate is not there (any more).");
  await tx.exchangeRate.delete({ where });
  await changeSite(tx, siteId);
  return { currency, day, per_euro: rate.perEuro.toFixed() };
}
