import { MAX_BATCH_EVENTS } from "@/lib/ingest/api/batch";
import { MAX_PAGES_PER_MINUTE } from "@/lib/ingest/enrich/classify";
import { CLIENT_IP_REASONS } from "@/lib/ingest/site/forwarded-address";
import { VISIT_TIMEOUT_MS } from "@/lib/ingest/store/visits";
import { type Article, code, heading, part, shown, terms, text } from "@/lib/publish/articles/article";
import {
  CANONICAL,
  COMMERCE_FIELD_ROWS,
  COMMERCE_NAME_ROWS,
  EVENT_IDS,
  FILTER_ROWS,
  INGEST_LIMITS,
  KEY_WITHOUT_HUMAN,
  ORDERS,
  type Rows,
} from "@/lib/publish/event-facts";
import { batchCurl } from "@/lib/publish/reference";
import { BATCH_REFUSALS, refusalsToSenders } from "@/lib/publish/refusals";
import { SIGNED_CURL, SIGNED_EXAMPLE, SIGNERS } from "@/lib/publish/signing";

const ANSWER = `{"results":[{"index":0,"event_id":"ffe_…","status":"stored","class":"human"},
  {"index":1,"event_id":"ffe_…","status":"stored","class":"human"},
  {"index":2,"event_id":"order-2026-000043","status":"stored","class":"human"}],
 "counts":{"stored":3,"duplicate":0,"filtered":0,"invalid":0,"error":0},"request_id":"7d1f0c52…"}`;

const FAULT = `{"index":1,"event_id":null,"status":"invalid","code":"invalid_input",
 "message":"name is required and must be text.","pointer":"/events/1/name"}`;

const WARNING = `{"index":0,"event_id":"ffe_…","status":"stored","warnings":[{"path":"properties.value",
 "message":"must be a number or decimal text such as \\"49.90\\", 0 or more and below 1000000000000; the amount is not counted"}]}`;

const SIGNED = Object.entries(SIGNED_EXAMPLE)
  .map(([name, value]) => `${name.padEnd(10)}${value}`)
  .join("\n");

const importCommand = (base: string) =>
  `npm run import-log -- /var/log/nginx/access.log --site example.com --key-file ingest-key --state import-state --to ${base}`;

const robotView = (base: string) => `const ROBOT = /bot|crawl|spider|GPT|Claude|Perplexity|Gemini/i;

/** Call it once a page is answered, in a middleware, a proxy or an edge function. Do not wait for it. */
export async function sendRobotView(key, { url, userAgent, status }) {
  if (!ROBOT.test(userAgent)) return;
  const event = { type: "page", context: { page: { url, status }, user_agent: userAgent } };
  await fetch("${base}/api/v1/events", {
    method: "POST",
    headers: { authorization: "Bearer " + key, "content-type": "application/json" },
    body: JSON.stringify({ events: [event] }),
  });
}`;

/** What becomes of an event of a batch. */
const OUTCOME_ROWS: Rows = [
  ["stored", "Committed. `class` is its traffic class."],
  ["duplicate", "An event with this `event_id` exists already."],
  ["filtered", "A rule of the site excludes it; `code` is the reason."],
  ["invalid", "`message` says what is wrong, `pointer` where in your body (RFC 6901)."],
  ["error", "Not stored. Send it again with the returned `event_id`: it is stored once."],
];

const STATUS_ROWS: Rows = [
  ["200", "All events have the same status: stored, duplicate or filtered."],
  ["207", "The events have different statuses."],
  ["422", "No event is valid, or the batch itself is not; then there are no results."],
  ["503", "No event could be stored. Wait Retry-After seconds, then send the batch again."],
];

const TYPE_ROWS: Rows = [
  ["page", "A page was viewed. Needs `context.page.url`, on a domain of the site, or `context.page.path`."],
  ["screen", "A screen of an app was viewed. Needs `name`; it counts like a page of that name."],
  ["event", "A custom event. Needs `name`."],
  [
    "identify",
    "Names the user. Needs `user_id`. It joins the running visit of its session id or signed address: from then on, events with only this `user_id` continue that visit. If none is running, it starts one without a page.",
  ],
  [
    "experiment",
    "A variant was shown. Experiments count it by `properties.experiment` (otherwise the name of the event) and `properties.variant`.",
  ],
  ["commerce", "A commerce event. Needs `name`; see the names and fields below."],
];

const CONTEXT_ROWS: Rows = [
  [
    "page",
    "`{url, path, title, referrer, status}`: the page, where the visitor came from, and the HTTP status that the page was answered with, from 200 to 599. A path without a url is on the primary domain of the site. Paths are stored percent-encoded, up to 2,048 characters. Of a url's query only the site's `page_query` makes a page; a path keeps its own.",
  ],
  ["locale", "Language of the visitor, such as de-CH."],
  ["screen", "Width of the window in pixels, such as 1280 or 1280x720."],
  [
    "user_agent",
    "The user agent of the visitor's browser or app. It gives device, browser and system, and the traffic class: without it, the event is `human`.",
  ],
  ["session_id", "Your own name for a series of events of one visitor; valid for a day."],
  [
    "timestamp",
    "When the event happened, if you send it later: RFC 3339 with a time zone, or seconds since 1970, within the last 72 hours. Visits and days are as if it had arrived then, in whatever order events arrive. An older or future time gets a warning, and the event counts at its arrival. Of a day before yesterday, only events with a `user_id` have a visitor: the salts of other visitors are deleted.",
  ],
  ["campaign", "`{source, medium, name, term, content}`, instead of the utm parameters of the URL."],
];

const HEADERS: Rows = [
  ["X-Footfall-Client-IP", "The visitor's address, IPv4 or IPv6."],
  [
    "X-Footfall-Client-IP-Timestamp",
    "The current time in Unix seconds or RFC 3339; at most five minutes old and one minute ahead.",
  ],
  [
    "X-Footfall-Client-IP-Signature",
    "Lowercase hex HMAC-SHA256 with the key over: timestamp, newline, address, newline, lowercase hex SHA-256 of the body.",
  ],
];

export const measurementProtocolArticle = (base: string): Article => ({
  slug: "measurement-protocol",
  title: "Measurement Protocol",
  lead: `Trusted servers send 1 to ${MAX_BATCH_EVENTS} events in one call, and get a result for each.`,
  index: "send batches with POST /api/v1/events and an ingest key: types, commerce fields, visitors, signatures",
  forAgents: true,
  parts: [
    part(
      "send",
      "Send a batch",
      text(
        "Create an ingest key in the site's settings under Measurement Protocol, or call `sites.keys.create`, which needs a human's approval. The key is shown once, belongs to one site, and can be rotated without interruption. It is a server secret: never put it into a page or an app. A management token is refused here.",
      ),
      code("the call", batchCurl(base)),
      text("The answer comes after the events are committed, with a result for each:"),
      shown("the answer", ANSWER),
      text("If the second event had no name, its result would be this. The others would be stored:"),
      shown("the invalid result", FAULT),
      terms(OUTCOME_ROWS),
      terms(STATUS_ROWS),
      text(INGEST_LIMITS.batch),
    ),
    part("key", "A key without a human", text(KEY_WITHOUT_HUMAN)),
    part(
      "retry",
      "Retries",
      text(
        "Give each event your own `event_id` and send the batch again after 429, 500 and 503, with growing pauses. Each event is stored once, however often and from however many servers it comes.",
      ),
      text(EVENT_IDS),
    ),
    part(
      "types",
      "Event types",
      text(
        "Each event needs `type`, and may have `event_id` (12 to 32 characters of A-Z a-z 0-9 _ -), `name`, `user_id`, `revenue` (`{amount, currency}`), `properties` and `context`. Unknown fields make it invalid. It counts at the moment it arrives, or at its `context.timestamp`. Events of a batch count in the order of their indexes, batches of one connection in the order in which you send them.",
      ),
      terms(TYPE_ROWS),
      text(
        "`properties` are free-form: up to 50, at most 8 KiB of JSON together, with values nested at most five levels deep.",
      ),
      text(CANONICAL),
    ),
    part(
      "commerce",
      "Orders and revenue",
      text(ORDERS),
      terms(COMMERCE_FIELD_ROWS),
      text("Names of commerce events:"),
      terms(COMMERCE_NAME_ROWS),
      text("What cannot be interpreted is stored, not counted, and listed in `warnings`:"),
      shown("the warning", WARNING),
    ),
    part(
      "filtered",
      "Why an event is filtered",
      text("Filtered events are not stored. `code` is one of these:"),
      terms(FILTER_ROWS),
    ),
    part("context", "Context", terms(CONTEXT_ROWS)),
    part(
      "visitors",
      "How visitors are recognised",
      text(
        "A visitor is recognised by `user_id` on any day, stored only as a hash that no other site shares. Otherwise by `context.session_id`, for one day. Otherwise by the signed address together with `context.user_agent`, as in the visits of your pages, so that both become one visit. The address of the sending server is never used.",
      ),
      text(
        `A \`user_id\` that is sent with the session or address of a running visit joins that visit. Later events with only this \`user_id\` continue it and keep its source, also from other servers, until ${VISIT_TIMEOUT_MS / 60_000} minutes pass without an event. A second \`user_id\` in the same session starts a new visit. Only events with the class \`human\` join a visit.`,
      ),
      text(
        "An event with none of the three has no visitor: it belongs to no visit, and counts as event, pageview and order. A crawler is recognised by its `context.user_agent` alone.",
      ),
    ),
    part(
      "client-ip",
      "Pass on a visitor's address",
      text(
        "Sign the address with the ingest key, over the body exactly as you send it. It applies to all events of the batch.",
      ),
      terms(HEADERS),
      ...Object.entries(SIGNERS).flatMap(([language, signer]) => [
        heading(language),
        code(`the signature in ${language}`, signer, LANGUAGES[language]),
      ]),
      text("Check your own signer with this example. The body has no spaces and no line breaks:"),
      shown("the example", SIGNED, "text"),
      text("Or try it with the key in `INGEST_KEY`. Other users of the machine can see the key while openssl runs:"),
      code("the signed call", SIGNED_CURL(base)),
      text("If the check fails, the events are stored without the address, and `client_ip.reason` says why:"),
      terms(Object.entries(CLIENT_IP_REASONS)),
      text(
        "The site's privacy settings for addresses and locations apply to these addresses too. The header names `X-Service-Client-IP…` work as well.",
      ),
    ),
    part(
      "logs",
      "Import crawlers from an access log",
      text(
        "Crawlers do not run scripts, but the access log of your web server lists the pages they read. Run this command where the code of this service is. It reads the format `combined` of nginx and Apache and the JSON of Caddy, from a file, a .gz file or, with `-`, from stdin.",
      ),
      code("the command", importCommand(base)),
      text(
        "The key file holds an ingest key and must be readable by you alone; the variable `INGEST_KEY` works too. Create a key for the import alone: it uses up the rate limit of its key, and you can revoke it without stopping another server. Pages that were answered 200 or 304 are sent, and the errors (400 and more) that AI agents and search engines got; files and redirects are not. At the end the command prints the outcome, with the line number and fault of each invalid line.",
      ),
      text(
        "Pages count at the time of the import, so run it every few minutes while the log grows. The file of `--state` remembers where it stopped; the next run continues there, and starts over after a log rotation. Run it once more just before a rotation, for example in `prerotate` of logrotate, or the lines since the last run are lost. `--from` starts at a line of your choice. Importing a line twice adds nothing.",
      ),
      text(
        "Each batch holds pages of one address, because the address proves whether a crawler is genuine. A log with many addresses takes longer than one with few.",
      ),
      text(
        `With \`--all\` it also sends the pages of people, for sites without the script. The log must then contain the addresses of visitors, and an old log makes one long visit of each visitor's pages. More than ${MAX_PAGES_PER_MINUTE} pages a minute of one address and browser are skipped.`,
      ),
      text(
        "Without a log, your server sends the page views of crawlers itself, with the status that it knows. Without the signed address of the crawler, nobody can tell a genuine one from another that uses its name, so its visits are `claimed`:",
      ),
      shown("the code of a server", robotView(base), "js"),
    ),
    part(
      "errors",
      "Errors of a whole batch",
      text("Nothing of the batch is stored."),
      terms(refusalsToSenders(BATCH_REFUSALS)),
    ),
  ],
});

const LANGUAGES: Readonly<Record<string, string>> = { "Node.js": "js", PHP: "php", Python: "python", Go: "go" };
