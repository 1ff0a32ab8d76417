import { type Article, code, fields, part, shown, terms, text } from "@/lib/publish/articles/article";
import {
  CANONICAL,
  COMMERCE_FIELD_ROWS,
  COMMERCE_NAME_ROWS,
  EVENT_IDS,
  FILTER_ROWS,
  INGEST_LIMITS,
  ORDERS,
  SERVER_EVENTS,
  TRAFFIC_CLASS_ROWS,
} from "@/lib/publish/event-facts";
import { eventCurl, eventParameters } from "@/lib/publish/reference";
import { EVENT_REFUSALS, refusalsToSenders } from "@/lib/publish/refusals";

const ANSWER = `{"status":"stored","event_id":"order-2026-000042","class":"human","request_id":"7d1f0c52-3f0e-4b1a-8f60-0a4f7c1d9e21"}`;

export const eventsApiArticle = (base: string): Article => ({
  slug: "events-api",
  title: "Events API",
  lead: "One POST sends one event, from a backend, a webhook or a page. It needs no token.",
  index: "send one event with POST /api/event: fields, answers, traffic class, `filtered` reasons, orders",
  forAgents: true,
  parts: [
    part(
      "send",
      "Send an event",
      code("the call", eventCurl(base)),
      text("The answer is 202, after the event is committed:"),
      shown("the answer", ANSWER),
      text(
        "`status` is `stored`, `duplicate` (an event with this `event_id` of the same sender exists already) or `filtered` (a rule of the site excludes the event). `class` is the traffic class of a stored event, `reason` the rule that filtered it. `warnings` lists what reports cannot interpret.",
      ),
    ),
    part("servers", "Events from servers", text(SERVER_EVENTS), text("A key of another site is refused with 401.")),
    part(
      "classes",
      "Traffic classes",
      text(
        "Reports count `human` events by default. The reasons for the other classes are explained in [Metrics](/docs/metrics#traffic).",
      ),
      terms(TRAFFIC_CLASS_ROWS),
    ),
    part(
      "filtered",
      "Why an event is filtered",
      text("Filtered events are not stored. `reason` is one of these:"),
      terms(FILTER_ROWS),
    ),
    part(
      "orders",
      "Orders and revenue",
      text(ORDERS),
      text("`props` holds these fields, except that the amount can be in `revenue` instead:"),
      terms(COMMERCE_FIELD_ROWS),
      text("Names of commerce events:"),
      terms(COMMERCE_NAME_ROWS),
    ),
    part(
      "retry",
      "Retries",
      text(
        "Give each event your own `event_id` and send it again after 429, 500 and 503, with growing pauses. It is stored once. After 400 and 422 correct the event first.",
      ),
      text(EVENT_IDS),
    ),
    part(
      "fields",
      "Fields",
      text(
        `${INGEST_LIMITS.event} A pageview needs \`url\` or \`path\`. Unknown fields are ignored. The sender's address counts as the visitor's only if its user agent is a browser.`,
      ),
      text(CANONICAL),
      fields("Fields of an event", eventParameters()),
    ),
    part("errors", "Errors", terms(refusalsToSenders(EVENT_REFUSALS))),
  ],
});
