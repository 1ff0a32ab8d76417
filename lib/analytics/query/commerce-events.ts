import type { Money } from "@/lib/analytics/engine/copy-options";
import { ofTypes } from "@/lib/analytics/query/dimension-sql";
import { NAMED_EVENTS } from "@/lib/analytics/query/event-types";
import { COMMERCE_PROPERTIES, type CommerceKind, ITEM_FIELDS, SEPARATORS, spellingsOf } from "@/lib/contract/commerce";
import { join, raw, type Sql, sql } from "@/lib/platform/sql";

/** Commerce events in SQL: which they are, what their properties say, and the table `money`. */

/** SQL for the events of these kinds, as a condition on `fact`. */
export const ofKinds = (...kinds: readonly CommerceKind[]): Sql =>
  sql`(${ofTypes(NAMED_EVENTS)} AND ${isKind(...kinds)})`;

/** SQL for whether the name of `fact` is one of these kinds, whatever type of event it is. */
export function isKind(...kinds: readonly CommerceKind[]): Sql {
  const spelling = sql`regexp_replace(lower(name), ${SEPARATORS}, '', 'g')`;
  return sql`fact.name IN (SELECT id FROM name WHERE ${spelling} IN (${join(kinds.flatMap(spellingsOf))}))`;
}

/** Amounts of money, and sums of them, in their own currency. */
export const AMOUNT = sql`DECIMAL(38, 9)`;

/** SQL for a text as a number; null for any other text, because a custom event may carry anything. */
export const decimal = (text: Sql, type: Sql = AMOUNT): Sql => sql`
  CASE WHEN regexp_full_match(${text}, '\\s*\\d{1,12}(\\.\\d{1,20})?\\s*') THEN TRY_CAST(trim(${text}) AS ${type}) END`;

/** SQL for the first of some properties of an event that is not empty; null without any. */
const firstProperty = (keys: readonly string[]): Sql =>
  sql`coalesce(${join(keys.map((key) => sql`nullif(fact.props[${key}], '')`))})`;

const ORDER_TEXT = firstProperty(COMMERCE_PROPERTIES.order);

/** SQL for the order of an event; null for an id with replaced personal data, because many orders would share it. */
const ORDER_ID = sql`
  CASE WHEN NOT regexp_matches(${ORDER_TEXT}, '\\((card|token|email|secret)\\)') THEN ${ORDER_TEXT} END`;

/** The properties of an item, each as text. */
const ITEM_PROPERTIES: readonly string[] = [...ITEM_FIELDS.id, ...ITEM_FIELDS.name, "quantity", "price"];

/** SQL for the items of an event as the text of a JSON array; null without one. */
const LISTED = sql`coalesce(${join(
  COMMERCE_PROPERTIES.items.map((key) => {
    const value = sql`fact.props[${key}]`;
    return sql`CASE WHEN starts_with(${value}, '[') AND json_valid(${value}) THEN ${value} END`;
  }),
)})`;

/** SQL for the items of an event, also of one about one product that has the fields of an item itself. */
export const ITEMS = sql`coalesce(${LISTED}, CASE WHEN ${firstProperty(ITEM_FIELDS.id)} IS NOT NULL THEN
  to_json([{${join(ITEM_PROPERTIES.map((field) => sql`${raw(`'${field}'`)}: fact.props[${field}]`))}}])::VARCHAR END)`;

/** The type of `ITEMS`, for `from_json`. */
export const ITEMS_TYPE = JSON.stringify([Object.fromEntries(ITEM_PROPERTIES.map((field) => [field, "VARCHAR"]))]);

/** SQL for the first of some fields of an item, called `one`, that is not empty; null without any. */
const firstField = (fields: readonly string[]): Sql =>
  sql`coalesce(${join(fields.map((field) => sql`nullif(one.${raw(field)}, '')`))})`;

/** SQL for the name of an item, called `one`; null without one. */
export const ITEM_NAME = sql`left(${firstField(ITEM_FIELDS.name)}, 255)`;

/** SQL for the product of an item, called `one`: its id, else its name; null without either. */
export const ITEM_PRODUCT = sql`left(coalesce(${firstField(ITEM_FIELDS.id)}, ${firstField(ITEM_FIELDS.name)}), 255)`;

/** SQL for whether an event has a property that may hold items. Most events have none, and reading items takes ten times as long. */
export const MAY_HAVE_ITEMS = sql`
  coalesce(list_has_any(map_keys(fact.props), ${[...COMMERCE_PROPERTIES.items, ...ITEM_FIELDS.id]}::VARCHAR[]), false)`;

/** SQL for the products of an event as a list of texts, which is empty without any. */
export const PRODUCTS = sql`coalesce(list_filter(
  list_transform(from_json(${ITEMS}, ${ITEMS_TYPE}), lambda one: ${ITEM_PRODUCT}), lambda product: product IS NOT NULL), [])`;

/** SQL for the products of an event as a list of `value` and `label`: the name, null without one. */
export const NAMED_PRODUCTS = sql`coalesce(list_filter(
  list_transform(from_json(${ITEMS}, ${ITEMS_TYPE}), lambda one: {'value': ${ITEM_PRODUCT}, 'label': ${ITEM_NAME}}),
  lambda product: product.value IS NOT NULL), [])`;

/** SQL for the currency of the prices of items. */
export const ITEMS_CURRENCY = sql`upper(trim(fact.props['currency']))`;

/**
 * The statements that fill `money` again for these local days, or for the events after a number: events that carry revenue and purchases without any, a
 * small part of all events. `kind` is refund, purchase or other. The `amount` of a refund is below zero, whichever sign
 * was sent.
 */
export function moneyOf(those: Money): Sql[] {
  const chosen =
    "days" in those
      ? sql`fact.day BETWEEN ${those.days[0]} AND ${those.days[1]}`
      : sql`fact.seq > ${BigInt(those.after)}`;
  return [
    sql`DELETE FROM money AS fact WHERE ${chosen}`,
    sql`INSERT INTO money BY NAME
    SELECT fact.*,
      CASE WHEN fact.revenue < 0 OR ${ofKinds("refund")} THEN 'refund' WHEN ${ofKinds("purchase")} THEN 'purchase' ELSE 'other' END AS kind,
      CASE WHEN ${ofKinds("refund")} THEN -abs(fact.revenue) ELSE fact.revenue END AS amount, ${ORDER_ID} AS order_id,
      left(nullif(fact.props['coupon'], ''), 255) AS coupon, ${decimal(sql`fact.props['tax']`)} AS tax,
      ${decimal(sql`fact.props['shipping']`)} AS shipping, ${ITEMS} AS items, ${ITEMS_CURRENCY} AS items_currency
    FROM event AS fact
    WHERE ${chosen} AND (fact.revenue IS NOT NULL OR ${ofKinds("purchase")})`,
  ];
}
