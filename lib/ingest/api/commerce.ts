import {
  COMMERCE_KINDS,
  COMMERCE_PROPERTIES,
  type CommerceKind,
  commerceKindOf,
  ITEM_FIELDS,
  isEarning,
} from "@/lib/contract/commerce";
import { isCurrency, type SentEvent } from "@/lib/ingest/event/sent-event";
import { isObject } from "@/lib/platform/json";

/** Interprets the free-form properties of events as money. Events that cannot be interpreted are still stored. */

/** A part of a stored event that could not be interpreted, and what is expected there. */
export interface Warning {
  path: string;
  message: string;
}

/** The revenue of an event, if it could be read, and warnings. */
interface Interpreted {
  revenue: NonNullable<SentEvent["revenue"]> | null;
  warnings: Warning[];
}

type Properties = Readonly<Record<string, unknown>>;

const MAX_WARNINGS = 20;
const AMOUNT_MESSAGE = 'must be a number or decimal text such as "49.90", 0 or more and below 1000000000000';
const CURRENCY = "must be a currency code of ISO 4217 such as EUR";
const ITEM = "must have a product_id or a name";

/**
 * Interprets a commerce event. A purchase adds its amount to revenue and a refund subtracts it; cart events have none.
 *
 * @param within the field that holds the properties, for the paths of warnings.
 * @param sent the revenue that the event states besides its properties, which comes first.
 */
export function interpretCommerce(name: string, properties: Properties, within: string, sent: Revenue): Interpreted {
  const kind = commerceKindOf(name);
  if (!kind) {
    const { revenue, warnings } = interpretNamed(name, properties, within, sent);
    const counts = revenue ? "a custom event with other revenue" : "a custom event";
    const message = `is not a commerce event that reports know, so it counts as ${counts}; they know ${COMMERCE_KINDS.join(", ")}`;
    return { revenue, warnings: [{ path: "name", message }, ...warnings] };
  }
  const { warnings, warn } = warningsIn(within);
  const revenue = sent ?? (isPaid(kind) ? readRevenue(kind, properties, warn) : null);
  if (isPaid(kind)) checkOrder(kind, properties, warn);
  checkItems(kind, properties, warn);
  for (const key of ["tax", "shipping"]) {
    if (isGiven(properties[key]) && amountOf(properties[key]) === null)
      warn(key, `${AMOUNT_MESSAGE}; it is not counted`);
  }
  return { revenue, warnings };
}

/** Interprets an event of another type than `commerce`: only if its properties have an amount, whatever its name. */
export function interpretNamed(name: string, properties: Properties, within: string, sent: Revenue): Interpreted {
  if (sent) return { revenue: sent, warnings: [] };
  const kind = commerceKindOf(name);
  const isPriced = kind && isPaid(kind) && firstGiven(properties, COMMERCE_PROPERTIES.amount);
  if (isPriced) return interpretCommerce(name, properties, within, null);
  const { warnings, warn } = warningsIn(within);
  return { revenue: isEarning(name) ? otherRevenue(properties, warn) : null, warnings };
}

/** Revenue that is no order. `revenue` is always money; a `value` or `total` is only with a currency. */
function otherRevenue(properties: Properties, warn: Warn): Revenue {
  const key = firstGiven(properties, ["revenue", ...COMMERCE_PROPERTIES.amount]);
  if (key === undefined || (key !== "revenue" && !isGiven(properties.currency))) return null;
  return readMoney(key, properties, warn);
}

function warningsIn(within: string): { warnings: Warning[]; warn: Warn } {
  const warnings: Warning[] = [];
  const warn: Warn = (path, message) => {
    if (warnings.length < MAX_WARNINGS) warnings.push({ path: `${within}.${path}`, message });
  };
  return { warnings, warn };
}

type Revenue = Interpreted["revenue"];
type Paid = "purchase" | "refund";
type Warn = (path: string, message: string) => void;

const isPaid = (kind: CommerceKind): kind is Paid => kind === "purchase" || kind === "refund";
const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

const firstGiven = (properties: Properties, keys: readonly string[]): string | undefined =>
  keys.find((key) => isGiven(properties[key]));

/** Returns an amount as decimal text; null if the value is not an amount. */
function amountOf(value: unknown): string | null {
  const isAmount = typeof value === "number" ? value >= 0 && value < 1e12 : isDecimal(value);
  return isAmount ? `${value}`.trim() : null;
}

const isDecimal = (value: unknown): boolean => typeof value === "string" && /^\s*\d{1,12}(\.\d{1,20})?\s*$/.test(value);

function readRevenue(kind: Paid, properties: Properties, warn: Warn): Revenue {
  const key = firstGiven(properties, COMMERCE_PROPERTIES.amount);
  if (key === undefined) {
    warn(COMMERCE_PROPERTIES.amount[0], `is missing: the ${kind} is counted without an amount`);
    return null;
  }
  const money = readMoney(key, properties, warn);
  return money && kind === "refund" && Number(money.amount) > 0 ? { ...money, amount: `-${money.amount}` } : money;
}

function readMoney(key: string, properties: Properties, warn: Warn): Revenue {
  const amount = amountOf(properties[key]);
  const currency = currencyOf(properties);
  if (amount === null) warn(key, `${AMOUNT_MESSAGE}; the amount is not counted`);
  if (currency === null) warn("currency", `${CURRENCY}; the amount is not counted`);
  return amount === null || currency === null ? null : { amount, currency };
}

function currencyOf({ currency }: Properties): string | null {
  const code = typeof currency === "string" ? currency.trim().toUpperCase() : "";
  return isCurrency(code) ? code : null;
}

function checkOrder(kind: Paid, properties: Properties, warn: Warn): void {
  const key = firstGiven(properties, COMMERCE_PROPERTIES.order);
  if (key === undefined) {
    const purpose = kind === "purchase" ? "no refund can be matched to the purchase" : "the refund matches no purchase";
    warn(COMMERCE_PROPERTIES.order[0], `is missing: the event counts, but ${purpose}`);
  } else if (typeof properties[key] === "object") {
    warn(key, "must be text or a number");
  }
}

const ABOUT_PRODUCTS: ReadonlySet<CommerceKind> = new Set(["product_viewed", "cart_added", "cart_removed"]);

function checkItems(kind: CommerceKind, properties: Properties, warn: Warn): void {
  const key = firstGiven(properties, COMMERCE_PROPERTIES.items);
  const items = key === undefined ? [] : properties[key];
  if (key !== undefined && !Array.isArray(items)) warn(key, "must be a list of items; it is not counted");
  if (!Array.isArray(items)) return;
  for (const [index, item] of items.entries()) checkItem(item, `${key}.${index}`, warn);
  const isOneProduct = firstGiven(properties, ITEM_FIELDS.id) !== undefined;
  if (items.length === 0 && ABOUT_PRODUCTS.has(kind) && !isOneProduct) {
    warn("items", "is missing: send a list of items, or one product_id, so that products are counted");
  }
  const isPriced = items.some((item) => isObject(item) && isGiven(item.price));
  if (isPriced && !isPaid(kind) && currencyOf(properties) === null) warn("currency", CURRENCY);
}

function checkItem(item: unknown, path: string, warn: Warn): void {
  if (!isObject(item) || firstGiven(item, [...ITEM_FIELDS.id, ...ITEM_FIELDS.name]) === undefined) {
    warn(path, `${ITEM}; it is not counted`);
    return;
  }
  const { price, quantity } = item;
  if (isGiven(price) && amountOf(price) === null) warn(`${path}.price`, `${AMOUNT_MESSAGE}; it is not counted`);
  if (isGiven(quantity) && amountOf(quantity) === null)
    warn(`${path}.quantity`, "must be a number, 0 or more; 1 is counted");
}
