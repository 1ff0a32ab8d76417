import { ranked } from "@/lib/testing/oracle/acquisition";
import { dateAt } from "@/lib/testing/oracle/clock";
import { type Fact, isNamed } from "@/lib/testing/oracle/facts";
import { sum } from "@/lib/testing/oracle/metrics";
import { asMoney, exact, inEuros, type Sale, sumOf } from "@/lib/testing/oracle/money";
import type { Selection } from "@/lib/testing/oracle/query";

/** Expected product rows of commerce: item by item. */

interface Item {
  product: string;
  name: string | null;
  quantity: number;
  /** The value of all pieces in the reporting currency; null when no price was sent or no rate is known. */
  worth: bigint | null;
}

export function productsOf({ facts, range }: Selection, sales: readonly Sale[]): object[] {
  const items = (those: readonly Fact[]) => those.flatMap((fact) => itemsOf(fact, range.zone));
  const called = (name: string) => items(facts.filter((fact) => isNamed(fact) && fact.name === name));
  const [viewed, carted] = [called("product_viewed"), called("cart_added")];
  const bought = items(sales.filter(({ kind }) => kind === "purchase").map(({ fact }) => fact));
  const all = [...viewed, ...carted, ...bought];
  const rows = [...new Set(all.map(({ product }) => product))].map((product) => {
    const of = (those: readonly Item[]) => those.filter((one) => one.product === product);
    const pieces = of(bought);
    return {
      product,
      name: of(all).find(({ name }) => name !== null)?.name ?? null,
      views: of(viewed).length,
      cart_adds: of(carted).length,
      quantity: sum(pieces.map(({ quantity }) => quantity)),
      worth: sumOf(pieces.map(({ worth }) => worth)),
      unpriced: sum(pieces.filter(({ worth }) => worth === null).map(({ quantity }) => quantity)),
    };
  });
  const sorted = ranked(
    rows,
    ({ worth, quantity, views }) => [Number(worth), quantity, views],
    ({ product }) => [product],
  );
  return sorted.map(({ worth, ...row }) => ({ ...row, revenue: asMoney(worth) }));
}

function itemsOf({ props, at }: Fact, zone: string): Item[] {
  const { items, currency } = (props ?? {}) as { items?: Record<string, string | number>[]; currency?: string };
  return (items ?? []).flatMap(({ product_id, name, price, quantity = 1 }) => {
    const product = product_id || name;
    if (!product) return [];
    const pieces = price === undefined ? null : exact(`${price}`) * BigInt(quantity);
    const worth = pieces === null ? null : inEuros(pieces, currency ?? null, dateAt(at, zone));
    return [{ product: `${product}`, name: name ? `${name}` : null, quantity: Number(quantity), worth }];
  });
}
