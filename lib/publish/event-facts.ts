import { COMMERCE_EVENTS, COMMERCE_KINDS, COMMERCE_PROPERTIES, ITEM_FIELDS } from "@/lib/contract/commerce";
import { TRAFFIC_CLASSES } from "@/lib/contract/vocabulary";
import { MAX_BATCH_EVENTS } from "@/lib/ingest/api/batch";
import { MAX_EVENT_BYTES } from "@/lib/ingest/api/measured-event";
import { BATCH_LIMIT_BYTES, EVENT_LIMIT_BYTES } from "@/lib/ingest/api/requests";
import { FILTER_REASONS } from "@/lib/ingest/event/decided-event";
import { MAX_PROPERTIES_BYTES } from "@/lib/ingest/event/sent-event";
import { REASONS } from "@/lib/ingest/event/verdict";
import { ADDRESS_RATE, KEY_RATE } from "@/lib/ingest/site/limits";

/** What senders of events must know, for the docs, the texts for agents and OpenAPI alike. */

export type Rows = [name: string, about: string][];

const names = (list: readonly string[]) => list.map((name) => `\`${name}\``).join(" or ");
const [purchase, otherPurchase] = COMMERCE_EVENTS.purchase;

/** How an event of a backend is classified. */
export const SERVER_EVENTS =
  "A call without `Origin` is a server event when an HTTP library, a webhook sender or no user agent sends it: its class is `human`. One that names its visitor by `user_id` or `session_id` continues the running visit of that visitor or starts a new one. Without either it belongs to no visit: it adds to events, pageviews, orders and revenue, and its page and name are listed, but it adds nothing to visitors, visits, buyers or funnels, and its source is unknown. Both APIs count alike. Declared crawlers stay `bot` or `ai`. With an ingest key of the site as bearer, no call is `suspicious`. `class` in the answer is the traffic class of the stored event.";

/** Each class of traffic with what makes an event one of it. */
export const TRAFFIC_CLASS_ROWS: Rows = Object.keys(TRAFFIC_CLASSES).map((traffic) => {
  const reasons = Object.entries(REASONS).filter(([, one]) => one.traffic === traffic);
  const about = reasons.length > 0 ? reasons.map(([reason]) => `\`${reason}\``).join(", ") : "no reason against it";
  return [traffic, about];
});

/** Why an event is answered `filtered`. */
export const FILTER_ROWS: Rows = Object.entries(FILTER_REASONS);

/** How event ids are chosen, and what they name. */
export const EVENT_IDS =
  "Choose ids that nobody can guess, such as a UUID without dashes: anybody can send events of your pages. With an ingest key, an id names one event of the site, in both APIs. Without a key it names one event of the same visitor only (the same `user_id`, `session_id`, or address and user agent, as long as the visitor is recognised), or of the same server, by its address and user agent: nobody else's event makes yours a `duplicate`. So send orders with a key.";

/** How names, ids and amounts are read. */
export const CANONICAL =
  "Names of events, properties, experiments and variants, and the ids of users and sessions, are stored without invisible characters and spaces at their ends, with single spaces between words, and in Unicode's NFC; capitals matter. What you type in filters, goals and funnels is read alike. An id may be a number, an amount may have spaces around it, and a currency small letters.";

/** The sentence that agents need before they send sales. */
export const ORDERS = `An event named ${names([purchase, otherPurchase])} is an order, with or without an amount, whether it is sent to \`/api/event\` or as type \`event\` or \`commerce\` in a batch. Capitals, spaces, dashes and underscores of these names do not matter: \`Purchase\` is an order too. An event with money and any other name, such as \`Donation\`, counts as other revenue and not as an order. Money is \`revenue\` with \`amount\` and \`currency\`, or a \`revenue\`, \`value\` or \`total\` with a \`currency\` among the properties, except of events about carts, wishlists and leads. An order with an \`order_id\` counts once, with its earliest purchase. Refunds are events named ${names(COMMERCE_EVENTS.refund)}, and events with a negative \`revenue\`.`;

/** The fields of commerce events: which are required, and what is lost without the others. */
export const COMMERCE_FIELD_ROWS: Rows = [
  [
    "name",
    "Required. One of the names below, in any spelling; any other name counts as a custom event, with its money as other revenue, and in a batch with a warning for the type `commerce`.",
  ],
  [
    COMMERCE_PROPERTIES.amount[0],
    `Required for the amount of a purchase or refund; also ${names(COMMERCE_PROPERTIES.amount.slice(1))}. A number or decimal text such as "49.00", 0 or more. Without it the order counts, but no revenue.`,
  ],
  ["currency", "Required with an amount: an ISO 4217 code such as EUR. Without it the amount is not counted."],
  [
    COMMERCE_PROPERTIES.order[0],
    `Also ${names(COMMERCE_PROPERTIES.order.slice(1))}. Without it, each purchase is an order of its own and no refund matches it.`,
  ],
  [
    COMMERCE_PROPERTIES.items[0],
    `Also ${names(COMMERCE_PROPERTIES.items.slice(1))}. A list of items, each with ${names([...ITEM_FIELDS.id, ...ITEM_FIELDS.name])}, and \`price\` and \`quantity\`. Product reports need it. Only the Measurement Protocol takes lists; an event about one product may have its \`${ITEM_FIELDS.id[0]}\` directly in its properties.`,
  ],
  ["tax, shipping, coupon", "Optional. Amounts that are part of the value, and the code that was used."],
];

/** The names of commerce events: ours, then those of GA4 and Segment. */
export const COMMERCE_NAME_ROWS: Rows = COMMERCE_KINDS.map((kind) => {
  const [name, ...others] = COMMERCE_EVENTS[kind];
  return [name, `also ${names(others)}`];
});

const PROPERTIES_AND_QUOTA = `The properties of an event have at most ${MAX_PROPERTIES_BYTES / 1024} KiB of JSON in UTF-8. In a monthly quota, an event counts once for each started KiB of text that is stored of it.`;

export const INGEST_LIMITS = {
  event: `\`POST /api/event\`: at most ${EVENT_LIMIT_BYTES / 1024} KiB, and from one address to one site ${ADDRESS_RATE.burst} events at once and ${ADDRESS_RATE.perSecond} a second after that. ${PROPERTIES_AND_QUOTA}`,
  batch: `\`POST /api/v1/events\`: 1 to ${MAX_BATCH_EVENTS} events, at most ${BATCH_LIMIT_BYTES / 1024 ** 2} MiB, ${MAX_EVENT_BYTES / 1024} KiB an event, and ${KEY_RATE.burst} requests a minute for each key. ${PROPERTIES_AND_QUOTA}`,
};

/** How a machine account without a human sends events and gets an ingest key. */
export const KEY_WITHOUT_HUMAN =
  "A machine account that registered alone has no human who can approve `sites.keys.create`: the answer is 409 `interactive_required` with `details.interactive_url`. A human opens that page, signs in, proves the same domain and becomes the owner of its site. A further site of the account needs the proof of its own domain, or your recovery key. Then repeat the call: it is answered 409 `approval_required` like any other, and the approved call returns the key. Until then send events to `POST /api/event`, which needs no key.";
