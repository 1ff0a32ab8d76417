import { dateAt } from "@/lib/testing/oracle/clock";
import { type Fact, isNamed } from "@/lib/testing/oracle/facts";
import { reaches, type SavedGoal } from "@/lib/testing/oracle/filters";
import type { Selection } from "@/lib/testing/oracle/query";

/** Money as exact decimals: integers in units of 10^-8. */

const PLACES = 8;
const ONE = 10n ** BigInt(PLACES);

/** Exchange rates per euro from a day on. JPY and BHD have no rate and cannot be converted. */
export const RATES = [
  { currency: "USD", from: "2024-01-01", perEuro: "1.25", worth: "0.8", toEuro: [4n, 5n] },
  { currency: "USD", from: "2025-04-01", perEuro: "1.6", worth: "0.625", toEuro: [5n, 8n] },
] as const;

export const REPORTING = "EUR";

export function exact(text: string): bigint {
  const [whole = "0", places = ""] = text.replace("-", "").split(".");
  const value = BigInt(whole) * ONE + BigInt(places.padEnd(PLACES, "0"));
  return text.startsWith("-") ? -value : value;
}

export interface Money {
  amount: string;
  currency: string;
}

/** Rounds to two decimal places, half away from zero. @param parts divides the value. */
export function asMoney(value: bigint, parts = 1n): Money {
  const cent = (ONE / 100n) * parts;
  const size = value < 0n ? -value : value;
  const cents = (size + cent / 2n) / cent;
  const sign = value < 0n && cents > 0n ? "-" : "";
  return { amount: `${sign}${cents / 100n}.${`${cents % 100n}`.padStart(2, "0")}`, currency: REPORTING };
}

/** Returns the amount as sent, with at least the decimal places of the currency. */
export function asSent(value: bigint, currency: string): Money {
  const size = value < 0n ? -value : value;
  const digits = { JPY: 0, BHD: 3 }[currency] ?? 2;
  const places = `${size % ONE}`.padStart(PLACES, "0").replace(/0+$/, "").padEnd(digits, "0");
  return { amount: `${value < 0n ? "-" : ""}${size / ONE}${places ? `.${places}` : ""}`, currency };
}

export interface Sale {
  fact: Fact;
  /** Negative amounts are also refunds. */
  kind: "purchase" | "refund" | "other";
  order: string | null;
  /** A repeated purchase of the same order, which is not counted. */
  repeated: boolean;
  /** In its own currency, with its sign; null for an order without an amount. */
  amount: bigint | null;
  /** In the reporting currency; null without a rate. */
  converted: bigint | null;
}

/** Returns every event with revenue and every purchase. Only the earliest purchase of an order counts. */
export function allSales({ credited, range }: Selection): Sale[] {
  const orders = new Set<string>();
  const inOrder = [...credited].sort((a, b) => a.at - b.at);
  return inOrder.flatMap((fact): Sale[] => {
    const named = isNamed(fact) && (fact.name === "purchase" || fact.name === "refund") ? fact.name : "other";
    if (fact.revenue === null && named !== "purchase") return [];
    const sent = fact.revenue === null ? null : exact(fact.revenue);
    const amount = named === "refund" && sent !== null && sent > 0n ? -sent : sent;
    const kind = amount !== null && amount < 0n ? "refund" : named;
    const id = fact.props?.order_id;
    const order = typeof id === "string" && id !== "" ? id : null;
    const repeated = kind === "purchase" && order !== null && orders.has(order);
    if (kind === "purchase" && order !== null) orders.add(order);
    const converted = amount === null ? null : inEuros(amount, fact.currency, dateAt(fact.at, range.zone));
    return [{ fact, kind, order, repeated, amount, converted }];
  });
}

/** Returns the sales that count. */
export const salesOf = (scope: Selection): Sale[] => allSales(scope).filter(({ repeated }) => !repeated);

export function inEuros(amount: bigint, currency: string | null, date: string): bigint | null {
  if (currency === REPORTING) return amount;
  const rate = RATES.findLast((one) => one.currency === currency && one.from <= date);
  return rate ? (amount * rate.toEuro[0]) / rate.toEuro[1] : null;
}

/** Returns the total of the sales that could be converted. */
export const earned = (sales: readonly Sale[]): Money => asMoney(sumOf(sales.map(({ converted }) => converted)));

/** Sums amounts, skipping nulls. */
export const sumOf = (amounts: readonly (bigint | null)[]): bigint =>
  amounts.reduce<bigint>((sum, amount) => sum + (amount ?? 0n), 0n);

/** Returns the amounts that could not be converted, by currency. */
export function unconverted(sales: readonly Sale[]): object[] {
  const sums = new Map<string, bigint>();
  for (const { amount, converted, fact } of sales) {
    if (amount === null || converted !== null || fact.currency === null) continue;
    sums.set(fact.currency, (sums.get(fact.currency) ?? 0n) + amount);
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([currency, sum]) => asSent(sum, currency));
}

/** Returns what the events that reach some goals are worth together, once for each goal that one reaches. */
export const worthOf = (goals: readonly SavedGoal[], facts: readonly Fact[], sales: readonly Sale[]): bigint =>
  sumOf(goals.flatMap((goal) => worthsOf(goal, facts, sales)));

/** What the events that reach a goal are worth, one by one. */
function worthsOf(goal: SavedGoal, facts: readonly Fact[], sales: readonly Sale[]): (bigint | null)[] {
  const { value } = goal;
  const reached = facts.filter((fact) => reaches(fact, goal));
  if (value?.of === "amount") return reached.map(() => exact(value.amount));
  if (value?.of === "revenue") return sales.map((one) => (reaches(one.fact, goal) ? one.converted : null));
  if (value?.of !== "property") return [];
  const texts = reached.map(({ props }) => `${props?.[value.property] ?? ""}`);
  return texts.map((text) => (/^-?\d+(\.\d+)?$/.test(text) ? exact(text) : null));
}
