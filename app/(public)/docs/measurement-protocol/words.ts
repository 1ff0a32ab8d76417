import { COMMERCE_EVENTS } from "@/lib/contract/commerce";

/** The tables of the page on the Measurement Protocol. */

type Rows = [name: string, about: string][];

export const OUTCOMES: Rows = [
  ["stored", "It is committed and counts."],
  ["duplicate", "An event with this event_id is there already."],
  ["filtered", "A rule of the site leaves it out; code says which."],
  ["invalid", "It is not as it must be: message says what would be right, pointer where in your body (RFC 6901)."],
  ["error", "It could not be stored now. Send it again with the event_id told, yours or ours, and it is stored once."],
];

export const STATUSES: Rows = [
  ["200", "All fared alike: stored, duplicate or filtered."],
  ["207", "Some fared otherwise than others."],
  ["422", "None is valid; or the batch itself is not, and there are no results."],
  ["503", "None could be stored now; Retry-After says when to try again."],
];

export const TYPES: Rows = [
  ["page", "A page was opened. Needs context.page.url, on a domain of the site, or context.page.path."],
  ["screen", "A screen of an app was opened. Needs a name; it counts like a page of that name."],
  ["event", "Something happened. Needs a name."],
  [
    "identify",
    "Names the user. Needs a user_id. It joins the running visit of its session id or signed address: from then on events that name only this user_id continue that visit. Where none runs, it starts one without a page.",
  ],
  [
    "experiment",
    "A variant was shown. Experiments count it by properties.experiment (else the name of the event) and properties.variant.",
  ],
  ["commerce", "Something happened in a shop. Needs a name; reports interpret those below."],
];

export const COMMERCE_NAMES: Rows = Object.values(COMMERCE_EVENTS).map(([name, ...others]) => [
  name,
  `or ${others.join(" or ")}`,
]);

export const COMMERCE_FIELDS: Rows = [
  [
    "order_id",
    "Your id of the order, also as transaction_id. A purchase without one is an order of its own, to which no refund can be matched.",
  ],
  [
    "value",
    "The amount, also as revenue or total: a number or decimal text such as 49.00. A purchase earns it, a refund takes it away.",
  ],
  ["currency", "ISO 4217 code such as EUR. An amount without it is not counted."],
  [
    "items",
    "A list, also as products, of items with product_id (item_id, sku) or name (item_name), price and quantity. An event about one product may carry its product_id itself.",
  ],
  ["tax, shipping", "Amounts that are part of the value."],
  ["coupon", "The code that was used."],
];

export const CONTEXT: Rows = [
  [
    "page",
    "{url, path, title, referrer}: where it happened, and where the visitor came from. A path without a url is on the primary domain of the site. The path is stored whole up to 2,048 characters, percent-encoded; a longer one is cut there.",
  ],
  ["locale", "Language of the visitor, such as de-CH."],
  ["screen", "Width of their window in pixels, such as 1280 or 1280x720."],
  [
    "user_agent",
    "Their browser's or app's, as it sent it. It gives device, browser and system, and tells robots apart.",
  ],
  ["session_id", "Your own name of a series of events of one person; good for a day."],
  ["campaign", "{source, medium, name, term, content}, in the place of the utm parameters of the address."],
];

export const HEADERS: Rows = [
  ["X-Footfall-Client-IP", "The visitor's address, IPv4 or IPv6."],
  [
    "X-Footfall-Client-IP-Timestamp",
    "Now, in Unix seconds or RFC 3339; at most five minutes old and one minute ahead.",
  ],
  [
    "X-Footfall-Client-IP-Signature",
    "Lowercase hex of HMAC-SHA256, under the key, of: the timestamp, a newline, the address, a newline, and the lowercase hex SHA-256 of the body.",
  ],
];
