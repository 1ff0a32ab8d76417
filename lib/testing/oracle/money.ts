import { dateAt } from "@/lib/testing/oracle/clock";
import { type Fact, isNamed } from "@/lib/testing/oracle/facts";
import type { Selection } from "@/lib/testing/oracle/question";

/** Money in exact decimals: whole numbers of a hundred-millionth. */

const PLACES = 8;
const ONE = 10n ** BigInt(PLACES);

/** What one euro is worth from a day on. JPY has no rate at all: it cannot be told in euros. */
export const RATES = [
  { currency: "USD", from: "2024-01-01", perEuro: "1.25", toEuro: [4n, 5n] },
  { currency: "USD", from: "2025-04-01", perEuro: "1.6", toEuro: [5n, 8n] },
] as const;

export const REPORTING = "EUR";

export function exact(text: string): bigint {
  const [whole = "0", places = ""] = text.replace("-", "").split(".");
  const value = BigInt(whole) * ONE + BigInt(places.padEnd(PLACES, "0"));
  return text.startsWith("-") ? -value : value;
}

/** Rounded to two places, halves away from zero. */
export function asMoney(value: bigint): { amount: string; currency: string } {
  const cent = ONE / 100n;
  const size = value < 0n ? -value : value;
  const cents = (size + cent / 2n) / cent;
  const sign = value < 0n && cents > 0n ? "-" : "";
  return { amount: `${sign}${cents / 100n}.${`${cents % 100n}`.padStart(2, "0")}`, currency: REPORTING };
}

/** As it was sent, with no fewer places than the currency has. */
export function asSent(value: bigint, currency: string): { amount: string; currency: string } {
  const size = value < 0n ? -value : value;
  const digits = currency === "JPY" ? 0 : 2;
  const places = `${size % ONE}`.padStart(PLACES, "0").replace(/0+$/, "").padEnd(digits, "0");
  return { amount: `${value < 0n ? "-" : ""}${size / ONE}${places ? `.${places}` : ""}`, currency };
}

export interface Sale {
  fact: Fact;
  kind: "purchase" | "refund" | "other";
  /** In its own currency, with its sign; null for an order without an amount. */
  amount: bigint | null;
  /** In the reporting currency; null without a rate. */
  told: bigint | null;
}

/**
 * The sales of a selection: every event with revenue, and every purchase. Of several purchases of one order the earliest
 * counts.
 */
export function salesOf({ facts, range }: Selection): Sale[] {
  const orders = new Set<string>();
  const inOrder = [...facts].sort((a, b) => a.at - b.at);
  return inOrder.flatMap((fact): Sale[] => {
    const kind = isNamed(fact) && (fact.name === "purchase" || fact.name === "refund") ? fact.name : "other";
    if (fact.revenue === null && kind !== "purchase") return [];
    const order = fact.props?.order_id;
    if (kind === "purchase" && typeof order === "string") {
      if (orders.has(order)) return [];
      orders.add(order);
    }
    if (fact.revenue === null) return [{ fact, kind, amount: null, told: null }];
    const sent = exact(fact.revenue);
    const amount = kind === "refund" && sent > 0n ? -sent : sent;
    return [{ fact, kind, amount, told: inEuros(amount, fact.currency, dateAt(fact.at, range.zone)) }];
  });
}

function inEuros(amount: bigint, currency: string | null, date: string): bigint | null {
  if (currency === REPORTING) return amount;
  const rate = RATES.findLast((one) => one.currency === currency && one.from <= date);
  return rate ? (amount * rate.toEuro[0]) / rate.toEuro[1] : null;
}

/** What sales brought in, of what could be converted. */
export const earned = (sales: readonly Sale[]): { amount: string; currency: string } =>
  asMoney(sales.reduce((sum, { told }) => sum + (told ?? 0n), 0n));

/** What could not be converted, by currency. */
export function unconverted(sales: readonly Sale[]): object[] {
  const sums = new Map<string, bigint>();
  for (const { amount, told, fact } of sales) {
    if (amount === null || told !== null || fact.currency === null) continue;
    sums.set(fact.currency, (sums.get(fact.currency) ?? 0n) + amount);
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([currency, sum]) => asSent(sum, currency));
}
