import type { RawEvent } from "@/lib/testing/oracle/facts";
import { reshaped, type World } from "@/lib/testing/oracle/world";

/** Worlds with many commerce events. */

const SHOES = { product_id: "p1", name: "Shoe", price: 10, quantity: 1 };
const HATS = { product_id: "p2", price: "5.5", quantity: 3 };
const SOCKS = { name: "Socks", price: "2.25" };
const GIFT = { product_id: "p3", quantity: 2 };
const ITEMS = [[SHOES], [SHOES, HATS], [SOCKS, GIFT], [HATS, HATS], [GIFT]];
const VALUES = ["10", "12.34", "99.99", "0.1", "30", "10"];
const CURRENCIES = ["EUR", "USD", "EUR", "JPY", "BHD"];
const NAMES = ["product_viewed", "purchase", "cart_added", "purchase", "refund", "checkout_started", "purchase"];

/** Turns two of three events into commerce events or events with revenue. */
export const withCommerce = (world: World): World =>
  reshaped(world, (event, index) => {
    const known = index % 4 ? event : { ...event, user: `u${event.who}` };
    if (index % 3 === 0) return known;
    return index % 8 === 1 ? withRevenue(known, index) : asCommerce(known, index);
  });

const withRevenue = (event: RawEvent, index: number): RawEvent => ({
  ...event,
  type: index % 16 === 1 ? "event" : "passive",
  name: ["Subscribed", "purchase", "refund"][index % 3] as string,
  revenue: ["-4.99", "9.99", "0.005", null][index % 4] as string | null,
  currency: index % 4 === 3 ? null : (CURRENCIES[index % 3] as string),
  props: index % 5 ? { order_id: `o${index % 4}`, plan: "pro" } : null,
});

function asCommerce(event: RawEvent, index: number): RawEvent {
  const name = NAMES[index % NAMES.length] as string;
  const order = index % 6;
  // Most refunds have the amount and currency of the purchase.
  const differs = index % 5 === 0 ? 1 : 0;
  const currency = CURRENCIES[(order + differs) % CURRENCIES.length] as string;
  const isPaid = name === "purchase" || name === "refund";
  const value = VALUES[(order + (index % 4 === 0 ? 1 : 0)) % VALUES.length] as string;
  return {
    ...event,
    type: "commerce",
    name,
    revenue: isPaid ? `${name === "refund" ? "-" : ""}${value}` : null,
    currency: isPaid ? currency : null,
    props: {
      items: ITEMS[index % ITEMS.length],
      currency,
      ...(isPaid && { order_id: `o${order}`, value }),
      ...(index % 4 === 0 && { coupon: ["SPRING", "AUTUMN"][(index >> 2) % 2], tax: "1.90" }),
      ...(index % 5 === 0 && { shipping: 4.9 }),
    },
  };
}
