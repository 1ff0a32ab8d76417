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

const KIND_OF_NAME: ReadonlyMap<string, CommerceKind> = new Map(
  COMMERCE_KINDS.flatMap((kind) => COMMERCE_EVENTS[kind].map((name) => [name, kind] as const)),
);

/** Returns the kind of commerce event with this name; null for any other name. */
export const commerceKindOf = (name: string): CommerceKind | null => KIND_OF_NAME.get(name) ?? null;

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
