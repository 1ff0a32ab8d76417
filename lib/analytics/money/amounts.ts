import type { Money } from "@/lib/contract/fields";

/**
 * Amounts of money as decimal text. Money is stored in the currency it was paid in, and reported in the site's currency
 * by the rate of its day. DuckDB adds amounts up exactly; answers are rounded here, once.
 */

/** The decimal places of a currency (ISO 4217): 2 for EUR, 0 for JPY. */
export const digitsOf = (currency: string): number =>
  new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** No money at all, as reports answer it. */
export const noMoney = (currency: string): string => (0).toFixed(digitsOf(currency));

/** What divisions by exchange rates leave beyond these places is not part of an amount. */
const EXACT_PLACES = 12;

/**
 * An amount rounded to the places of a currency, halves away from zero.
 *
 * @param sum decimal text; null is no money at all.
 * @param parts the amount is divided by this number first.
 */
export function rounded(sum: string | null, currency: string, parts = 1): string {
  // First to twelve places, so that a half stays a half in whatever order it was added up.
  const exact = inUnits(sum ?? "0", 2 * EXACT_PLACES);
  const near = divided(exact, BigInt(parts) * 10n ** BigInt(EXACT_PLACES));
  const digits = digitsOf(currency);
  return amountText(divided(near, 10n ** BigInt(EXACT_PLACES - digits)), digits);
}

/** The exact sum of amounts of one currency as decimal text; null where all are. */
export function added(amounts: readonly (string | null)[]): string | null {
  const known = amounts.filter((amount) => amount !== null);
  if (known.length === 0) return null;
  const units = known.reduce((sum, amount) => sum + inUnits(amount, 2 * EXACT_PLACES), 0n);
  return amountText(units, 2 * EXACT_PLACES);
}

/** An amount in its own currency: with the places of the currency, but never with fewer than were sent. */
export const asSent = (amount: string, currency: string): Money => {
  const [whole = "0", places = ""] = amount.split(".");
  const kept = places.replace(/0+$/, "").padEnd(digitsOf(currency), "0");
  return { amount: kept ? `${whole}.${kept}` : whole, currency };
};

/** Decimal text as a whole number of units of this many places. */
function inUnits(text: string, places: number): bigint {
  const [whole = "0", rest = ""] = text.replace("-", "").split(".");
  const size = BigInt(whole + rest.slice(0, places).padEnd(places, "0"));
  return text.startsWith("-") ? -size : size;
}

/** Divides, with halves away from zero. */
function divided(amount: bigint, by: bigint): bigint {
  const size = (2n * (amount < 0n ? -amount : amount) + by) / (2n * by);
  return amount < 0n ? -size : size;
}

function amountText(units: bigint, places: number): string {
  const digits = `${units < 0n ? -units : units}`.padStart(places + 1, "0");
  const [whole, rest] = [digits.slice(0, digits.length - places), digits.slice(digits.length - places)];
  return `${units < 0n ? "-" : ""}${whole}${rest ? `.${rest}` : ""}`;
}
