import type { DemoEvent, Person } from "@/prisma/demo";
import type { Dice, Odds } from "@/prisma/dice";

/** Generates the commerce events of the demo shop: searches, experiment exposures, carts and orders. */

export const EXPERIMENT = "Free delivery bar";
export const VARIANTS = ["control", "bar"] as const;

const CURRENCY = "EUR";
const PRODUCTS: Record<string, { product_id: string; name: string; category: string; price: string }> = {
  "/grinders/hand-no-2": { product_id: "G-2", name: "Hand grinder No. 2", category: "Grinders", price: "89.00" },
  "/beans/ethiopia-guji": { product_id: "B-7", name: "Ethiopia Guji", category: "Beans", price: "14.50" },
  "/beans/house-blend": { product_id: "B-1", name: "House blend", category: "Beans", price: "9.90" },
  "/brewers/dripper": { product_id: "D-1", name: "Dripper", category: "Brewers", price: "24.00" },
};

/** Search terms with their number of results. */
const SEARCHES: Odds<readonly [term: string, results: number]> = [
  [9, ["grinder", 4]],
  [7, ["espresso", 3]],
  [6, ["decaf", 0]],
  [5, ["ethiopia", 2]],
  [4, ["filter paper", 1]],
  [3, ["milk frother", 0]],
  [2, ["gift card", 0]],
];

/** Returns the user id of a visitor that is signed in, or null; some customers return often. */
export const customerOf = (random: Dice): string | null =>
  random.chance(0.3) ? `customer-${Math.floor(random.next() ** 3 * 900)}` : null;

/** Returns a site search after the first page, or null. */
export function searchOf(random: Dice): Record<string, unknown> | null {
  if (!random.chance(0.09)) return null;
  const [term, results] = random.pick(SEARCHES);
  return { name: "Search", props: { term, results } };
}

interface Visit {
  person: Person;
  /** The viewed pages in order. */
  paths: readonly string[];
  /** The origin of the site. */
  home: string;
  /** When the visitor left the last page. */
  left: number;
}

/** Returns the experiment, cart and order events of one visit in order of time. */
export function shop({ person, paths, home, left }: Visit, random: Dice): DemoEvent[] {
  const { sender, common, variant } = person;
  const events: DemoEvent[] = [];
  let at = left;
  const sell = (name: string, properties: Record<string, unknown>) => {
    at += Math.round(4_000 + random.around(15_000));
    const { user_id, language: locale, screen } = common;
    const context = { page: { url: `${home}${paths.at(-1)}` }, locale, screen };
    events.push({ at, sender, fromServer: true, event: { type: "commerce", name, user_id, properties, context } });
  };
  const exposure = { experiment: EXPERIMENT, variant };
  events.push({ at, sender, event: { ...common, url: `${home}${paths[0]}`, name: "exposure", exposure } });
  const seen = paths.flatMap((path) => PRODUCTS[path] ?? []);
  for (const product of seen) sell("product_viewed", { items: [product], currency: CURRENCY });
  const wanted = seen.at(-1);
  if (!wanted || !random.chance(0.4)) return events;
  const quantity = 1 + Number(random.chance(0.25));
  const items = [{ ...wanted, quantity }];
  sell("cart_added", { items, currency: CURRENCY });
  if (!random.chance(0.58)) return events;
  sell("checkout_started", { items, currency: CURRENCY });
  if (!random.chance(variant === "bar" ? 0.72 : 0.6)) return events;
  const order_id = `O-${Math.floor(random.next() * 1e9)}`;
  const value = (Number(wanted.price) * quantity).toFixed(2);
  sell("purchase", { order_id, value, currency: CURRENCY, items });
  if (random.chance(0.05)) sell("refund", { order_id, value, currency: CURRENCY });
  return events;
}
