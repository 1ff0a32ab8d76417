import type { Act, Someone } from "@/prisma/demo";
import type { Dice, Odds } from "@/prisma/dice";

/** What people do in the demo's shop beside reading its pages: all that the reports about selling tell of. */

export const EXPERIMENT = "Free delivery bar";
export const VARIANTS = ["control", "bar"] as const;

const CURRENCY = "EUR";
const PRODUCTS: Record<string, { product_id: string; name: string; category: string; price: string }> = {
  "/grinders/hand-no-2": { product_id: "G-2", name: "Hand grinder No. 2", category: "Grinders", price: "89.00" },
  "/beans/ethiopia-guji": { product_id: "B-7", name: "Ethiopia Guji", category: "Beans", price: "14.50" },
  "/beans/house-blend": { product_id: "B-1", name: "House blend", category: "Beans", price: "9.90" },
  "/brewers/dripper": { product_id: "D-1", name: "Dripper", category: "Brewers", price: "24.00" },
};

/** What is looked for, and how many things the shop has of it. */
const SEARCHES: Odds<readonly [term: string, results: number]> = [
  [9, ["grinder", 4]],
  [7, ["espresso", 3]],
  [6, ["decaf", 0]],
  [5, ["ethiopia", 2]],
  [4, ["filter paper", 1]],
  [3, ["milk frother", 0]],
  [2, ["gift card", 0]],
];

/** The shop knows some of its visitors, some of whom come often. */
export const customerOf = (random: Dice): string | null =>
  random.chance(0.3) ? `customer-${Math.floor(random.next() ** 3 * 900)}` : null;

/** What some look for when they have seen the first page. */
export function searchOf(random: Dice): Record<string, unknown> | null {
  if (!random.chance(0.09)) return null;
  const [term, results] = random.pick(SEARCHES);
  return { name: "Search", props: { term, results } };
}

interface Visit {
  someone: Someone;
  /** The pages that were seen, the first one first. */
  paths: readonly string[];
  /** The address without a path. */
  home: string;
  /** When the last page was left. */
  left: number;
}

/** The experiment, carts and orders of one visit, in the order of their times. */
export function shop({ someone, paths, home, left }: Visit, random: Dice): Act[] {
  const { sender, common, variant } = someone;
  const acts: Act[] = [];
  let at = left;
  const sell = (name: string, properties: Record<string, unknown>) => {
    at += Math.round(4_000 + random.around(15_000));
    const { user_id, language: locale, screen } = common;
    const context = { page: { url: `${home}${paths.at(-1)}` }, locale, screen };
    acts.push({ at, sender, fromServer: true, event: { type: "commerce", name, user_id, properties, context } });
  };
  const exposure = { experiment: EXPERIMENT, variant };
  acts.push({ at, sender, event: { ...common, url: `${home}${paths[0]}`, name: "exposure", exposure } });
  const seen = paths.flatMap((path) => PRODUCTS[path] ?? []);
  for (const product of seen) sell("product_viewed", { items: [product], currency: CURRENCY });
  const wanted = seen.at(-1);
  if (!wanted || !random.chance(0.4)) return acts;
  const quantity = 1 + Number(random.chance(0.25));
  const items = [{ ...wanted, quantity }];
  sell("cart_added", { items, currency: CURRENCY });
  if (!random.chance(0.58)) return acts;
  sell("checkout_started", { items, currency: CURRENCY });
  if (!random.chance(variant === "bar" ? 0.72 : 0.6)) return acts;
  const order_id = `O-${Math.floor(random.next() * 1e9)}`;
  const value = (Number(wanted.price) * quantity).toFixed(2);
  sell("purchase", { order_id, value, currency: CURRENCY, items });
  if (random.chance(0.05)) sell("refund", { order_id, value, currency: CURRENCY });
  return acts;
}
