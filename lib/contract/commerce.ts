/** Names of commerce events and properties: Footfall's first, then those of GA4 and of Segment's ecommerce spec. */

/** Event names by kind of commerce event. */
export const COMMERCE_EVENTS = {
  product_viewed: ["product_viewed", "view_item", "Product Viewed"],
  cart_added: ["cart_added", "add_to_cart", "Product Added"],
  cart_removed: ["cart_removed", "remove_from_cart", "Product Removed"],
  checkout_started: ["checkout_started", "begin_checkout", "Checkout Started"],
  purchase: ["purchase", "Order Completed"],
  refund: ["refund", "Order Refunded"],
} as const satisfies Record<string, readonly string[]>;
export type CommerceKind = keyof typeof COMMERCE_EVENTS;
export const COMMERCE_KINDS = Object.keys(COMMERCE_EVENTS) as CommerceKind[];

/** A regular expression, also of DuckDB, for what does not matter in the spelling of a name. */
export const SEPARATORS = "[\\s_-]+";
/** Capitals and separators do not matter: `Purchase` and `order-completed` are understood. */
const spellingOf = (name: string): string => name.toLowerCase().replace(new RegExp(SEPARATORS, "g"), "");

/** Returns the spellings, without capitals and separators, of the names of a kind. */
export const spellingsOf = (kind: CommerceKind): string[] => [...new Set(COMMERCE_EVENTS[kind].map(spellingOf))];

/** Returns a regular expression, also of DuckDB, for the names of a kind in any capitals, with any or no separators between words. */
export function patternOf(kind: CommerceKind): string {
  const names = COMMERCE_EVENTS[kind].map((name) => name.toLowerCase().split(new RegExp(SEPARATORS)).join("[\\s_-]*"));
  return `(?i)^(${[...new Set(names)].join("|")})$`;
}

const KIND_OF_SPELLING: ReadonlyMap<string, CommerceKind> = new Map(
  COMMERCE_KINDS.flatMap((kind) => spellingsOf(kind).map((spelling) => [spelling, kind] as const)),
);

/** Returns the kind of commerce event with this name; null for any other name. */
export const commerceKindOf = (name: string): CommerceKind | null => KIND_OF_SPELLING.get(spellingOf(name)) ?? null;

/** Events of GA4 and Segment whose amount is the worth of a cart, a lead or a changed order: nothing is earned. */
const UNEARNED: ReadonlySet<string> = new Set(
  [
    ...["view_cart", "view_item_list", "select_item", "view_promotion", "select_promotion", "add_to_wishlist"],
    ...["add_shipping_info", "add_payment_info", "generate_lead", "qualify_lead", "disqualify_lead", "working_lead"],
    ...["close_convert_lead", "close_unconvert_lead", "Cart Viewed", "Cart Shared", "Product List Viewed"],
    ...["Product Clicked", "Product Added to Wishlist", "Wishlist Product Added to Cart", "Checkout Step Viewed"],
    ...["Checkout Step Completed", "Payment Info Entered", "Order Updated", "Order Cancelled", "Coupon Applied"],
  ].map(spellingOf),
);

/** Whether an event of this name earns the amount in its properties; a purchase or refund has its own rules. */
export const isEarning = (name: string): boolean => commerceKindOf(name) === null && !UNEARNED.has(spellingOf(name));

/** Property names that reports read. The first one that an event has is used. */
export const COMMERCE_PROPERTIES = {
  amount: ["value", "revenue", "total"],
  order: ["order_id", "transaction_id"],
  items: ["items", "products"],
} as const;

/** The names of each field of an item. */
export const ITEM_FIELDS = {
  id: ["product_id", "item_id", "sku"],
  name: ["name", "item_name"],
} as const;
