import { z } from "zod";
import { amountFrom, currency, eventId, name, text } from "@/lib/ingest/schema";

/** How the Measurement Protocol is written: six types of events, each with what it needs. Unknown fields are refused. */

const MOST_PROPERTIES = 50;
const MOST_ITEMS = 100;

export const COMMERCE_NAMES = [
  "product_viewed",
  "cart_added",
  "cart_removed",
  "checkout_started",
  "purchase",
  "refund",
] as const;
export type CommerceName = (typeof COMMERCE_NAMES)[number];

const some = (most: number) => text(most).min(1, `must have 1 to ${most} characters`);
const named = name(255, "must have 1 to 255 characters, and one at least that can be seen");

const moneyWords = 'must be a number or a decimal string such as "12.34", 0 or more';
const money = amountFrom(z.number(moneyWords).min(0, moneyWords), /^\d{1,12}(\.\d{1,6})?$/, moneyWords);

/** Nothing and null are the same, as in every field of an event. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

const item = z
  .looseObject(
    {
      product_id: some(255).nullish(),
      name: some(255).nullish(),
      category: some(255).nullish(),
      brand: some(255).nullish(),
      variant: some(255).nullish(),
      price: money.nullish(),
      quantity: z
        .int("must be a whole number")
        .min(1, "must be 1 or more")
        .max(1_000_000, "must be at most 1000000")
        .nullish(),
    },
    "must be an object such as {product_id, name, price, quantity}",
  )
  .refine((one) => isGiven(one.product_id) || isGiven(one.name), "must have a product_id or a name");
const manyItems = `must have at most ${MOST_ITEMS} items`;
/** Counted before any is looked at: thousands of them would keep everybody else waiting. */
const items = z.preprocess(
  (value, context) => {
    if (Array.isArray(value) && value.length > MOST_ITEMS) context.addIssue(manyItems);
    return value;
  },
  z.array(item, "must be a list").min(1, "must have at least one item").max(MOST_ITEMS, manyItems),
);

/** What the properties of an experiment and of commerce must be; whatever else stands beside them is kept as it is. */
export const experimentProperties = z.looseObject({ experiment: named, variant: named });
const order = {
  order_id: some(255).nullish(),
  items: items.nullish(),
  value: money.nullish(),
  currency: currency.nullish(),
  tax: money.nullish(),
  shipping: money.nullish(),
  coupon: some(255).nullish(),
};
export const commerceProperties = z.looseObject(order);
const NEEDED: Record<CommerceName, readonly (keyof typeof order)[]> = {
  product_viewed: ["items"],
  cart_added: ["items"],
  cart_removed: ["items"],
  checkout_started: [],
  purchase: ["order_id", "value", "currency"],
  refund: ["order_id", "value", "currency"],
};

type Properties = Record<string, unknown>;
const isObject = (value: unknown): value is Properties =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Looked at, never copied: a copy would lose a property called `__proto__`. */
const properties = z
  .custom<Properties>(isObject, "must be an object of names and values")
  .superRefine((value, context) => {
    const entries = Object.entries(value);
    if (entries.length > MOST_PROPERTIES) {
      context.addIssue(`has ${entries.length} properties; send at most ${MOST_PROPERTIES}`);
    }
    if (entries.some(([key]) => key === "" || key.length > 100))
      context.addIssue("must have names of 1 to 100 characters");
  });

/** Only the first is ever told. */
function forwardIssue(typed: z.ZodType, value: unknown, context: z.RefinementCtx): void {
  const [issue] = typed.safeParse(value, { reportInput: true }).error?.issues ?? [];
  if (!issue) return;
  const missing = issue.code === "invalid_type" && issue.input === undefined;
  const message = missing ? `is required and ${issue.message}` : issue.message;
  context.addIssue({ code: "custom", path: issue.path, message });
}

const campaign = z.strictObject(
  {
    source: text(255).nullish(),
    medium: text(255).nullish(),
    name: text(255).nullish(),
    term: text(255).nullish(),
    content: text(255).nullish(),
  },
  "must be an object {source, medium, name, term, content}",
);
const page = { url: text(4096), title: text(1000).nullish(), referrer: text(4096).nullish() };
const visitor = {
  locale: text(64).nullish(),
  screen: text(32).nullish(),
  user_agent: text(1000).nullish(),
  session_id: some(255).nullish(),
  campaign: campaign.nullish(),
};
const pageWords = "must be an object {url, title, referrer}";
const context = z.strictObject(
  { page: z.strictObject({ ...page, url: page.url.nullish() }, pageWords).nullish(), ...visitor },
  "must be an object {page, locale, screen, user_agent, session_id, campaign}",
);
const pageContext = z.strictObject(
  { page: z.strictObject(page, pageWords), ...visitor },
  "must be an object {page} with a url in it",
);

const common = {
  event_id: eventId.nullish(),
  name: some(255).nullish(),
  user_id: some(255).nullish(),
  properties: properties.nullish(),
  context: context.nullish(),
};

/** One event, by its type. */
export const measuredShape = z.discriminatedUnion(
  "type",
  [
    z.strictObject({ type: z.literal("page"), ...common, context: pageContext }),
    z.strictObject({ type: z.literal("screen"), ...common, name: named }),
    z.strictObject({ type: z.literal("event"), ...common, name: named }),
    z.strictObject({ type: z.literal("identify"), ...common, user_id: some(255) }),
    z.strictObject({
      type: z.literal("experiment"),
      ...common,
      properties: properties.superRefine((value, refining) => forwardIssue(experimentProperties, value, refining)),
    }),
    z
      .strictObject({
        type: z.literal("commerce"),
        ...common,
        name: z.enum(COMMERCE_NAMES, `must be one of ${COMMERCE_NAMES.join(", ")}`),
        properties: properties
          .superRefine((value, refining) => forwardIssue(commerceProperties, value, refining))
          .nullish(),
      })
      .superRefine(checkOrder),
  ],
  {
    error: ({ input }) =>
      isObject(input)
        ? "must be page, screen, event, identify, experiment or commerce"
        : "must be an object such as {type, name}",
  },
);
export type MeasuredEvent = z.infer<typeof measuredShape>;

/** What each kind of commerce needs; and no amount of money is without its currency. */
function checkOrder(
  event: { name: CommerceName; properties?: Properties | null | undefined },
  context: z.RefinementCtx,
) {
  const given = event.properties ?? {};
  const priced = ["value", "tax", "shipping"].some((name) => isGiven(given[name])) || hasPrice(given.items);
  const needed = new Set<string>([...NEEDED[event.name], ...(priced ? ["currency"] : [])]);
  for (const name of needed) {
    if (isGiven(given[name])) continue;
    const why = NEEDED[event.name].some((one) => one === name) ? `for ${event.name}` : "beside an amount of money";
    context.addIssue({ code: "custom", path: ["properties", name], message: `is required ${why}` });
  }
}

const hasPrice = (list: unknown): boolean =>
  Array.isArray(list) && list.some((one) => isObject(one) && isGiven(one.price));
