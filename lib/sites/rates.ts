import { z } from "zod";
import { invalidInput, Refusal } from "@/lib/contract/errors";
import { db } from "@/lib/db";
import { changePeople, type PeopleChange } from "@/lib/sites/members";

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
  );
export const rateDay = z.iso
  .date("must be a date such as 2026-11-20")
  .refine((day) => day >= "1999-01-01" && day <= "2100-12-31", "must be a day from 1999, when the euro began, to 2100");
export const perEuro = z
  .string("must be decimal text such as 1.0895")
  .regex(/^\d{1,10}(\.\d{1,8})?$/, {
    error: "must be a number above 0 with at most 8 decimal places, such as 1.0895",
    abort: true,
  })
  .refine((text) => Number(text) > 0, "must be above 0");

export interface OwnRate {
  currency: string;
  /** The local day from which it holds. */
  day: string;
  /** Units of the currency for one euro, as decimal text. */
  per_euro: string;
}

const dateOf = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** The rates that a site entered, by currency, the newest first. */
export async function listRates(siteId: number): Promise<OwnRate[]> {
  const orderBy = [{ currency: "asc" as const }, { day: "desc" as const }];
  const rows = await db().exchangeRate.findMany({ where: { siteId }, orderBy, take: MOST_RATES });
  return rows.map(({ currency, day, perEuro }) => ({
    currency,
    day: day.toISOString().slice(0, 10),
    per_euro: perEuro.toFixed(),
  }));
}

/**
 * A manager says what a euro is worth from a day on, until the next day that has a rate of its own.
 *
 * @throws Refusal `invalid_input` for the 5,001st, and as `siteFor` does.
 */
export async function setRate(by: PeopleChange, rate: OwnRate): Promise<void> {
  const { currency, day, per_euro } = rate;
  const what = { operation: "rates.set", detail: { currency, day, per_euro } };
  await changePeople(by, "manager", what, async (tx) => {
    const key = { siteId: by.siteId, currency, day: dateOf(day) };
    const saved = {
      where: { siteId_currency_day: key },
      create: { ...key, perEuro: per_euro },
      update: { perEuro: per_euro },
    };
    await tx.exchangeRate.upsert(saved);
    if ((await tx.exchangeRate.count({ where: { siteId: by.siteId } })) <= MOST_RATES) return;
    throw invalidInput([
      { path: "day", message: `is one rate too many; a site has at most ${MOST_RATES}, so remove one` },
    ]);
  });
}

/** A manager takes a rate back. @throws Refusal `not_found` for one that is not the site's (any more). */
export async function removeRate(by: PeopleChange, { currency, day }: Omit<OwnRate, "per_euro">): Promise<void> {
  const what = { operation: "rates.remove", detail: { currency, day } };
  await changePeople(by, "manager", what, async (tx) => {
    const { count } = await tx.exchangeRate.deleteMany({ where: { siteId: by.siteId, currency, day: dateOf(day) } });
    if (count === 0) throw new Refusal("not_found", "That rate is not there (any more).");
  });
}
