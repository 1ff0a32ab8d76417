import { type Article, code, part, steps, terms, text } from "@/lib/publish/articles/article";
import { numbersBeside, TEST_IT } from "@/lib/publish/articles/numbers-of-others";

const node = (base: string): string => `import { Analytics } from "@segment/analytics-node";
const analytics = new Analytics({ writeKey: INGEST_KEY, host: "${base}" });`;

export const fromSegmentArticle = (base: string): Article => ({
  slug: "from-segment",
  title: "Coming from Segment",
  lead: "Servers that send to Segment's HTTP API send here with another host and key.",
  index: "use Segment's server libraries and HTTP API with an ingest key; how calls are mapped",
  parts: [
    part(
      "change",
      "What to change",
      steps(
        "Create an ingest key in the site's settings under Measurement Protocol.",
        `Give it to the library as its write key, with \`${base}\` as its host.`,
      ),
      code("the client", node(base), "js"),
      text(
        "The key is a server secret, so only server libraries can use it. In pages, use [our script](/docs/tracker) in place of analytics.js.",
      ),
      TEST_IT,
    ),
    part(
      "calls",
      "How calls are read",
      terms([
        [
          "track",
          "An event. Names of Segment's e-commerce spec, such as `Order Completed`, count as commerce events with their revenue and products. `Experiment Viewed` is an exposure.",
        ],
        [
          "page, screen",
          "A pageview, at `properties.url` or `context.page.url`. A page that only has a name counts as a screen, `/Name`.",
        ],
        [
          "identify",
          "Names the user of the visit. `traits` are not stored. Without a `userId` it is answered and not stored.",
        ],
        ["alias, group", "Are answered and not stored: visitors have no profiles."],
        [
          "userId, anonymousId",
          "`user_id`, which recognises a user on other days, and `session_id`, which is valid for a day.",
        ],
        ["messageId", "The event's id: a call that is sent again is stored once."],
        [
          "timestamp, sentAt",
          "When the event happened, by our clock: as long before its arrival as it was before `sentAt`. Within 72 hours; an older or future one counts at its arrival, with a warning.",
        ],
        [
          "context",
          "`ip` (the visitor's, only with your key), `userAgent`, `locale`, `page`, `campaign` and `screen`.",
        ],
      ]),
    ),
    part(
      "answers",
      "Answers",
      text(
        "`POST /v1/batch` takes up to 1,000 calls and 512 KiB; `/v1/track`, `/v1/page`, `/v1/screen`, `/v1/identify`, `/v1/alias` and `/v1/group` take one. Send bodies without compression: one with `Content-Encoding` gets 415, so leave `gzip` of the Python library and `compress_request` of the PHP one off. The key is the user of Basic authorization, a bearer, or `writeKey` in the body. The answer is `{success: true}` with a result for each call: `stored`, `duplicate`, `filtered`, `ignored`, `invalid` or `error`. It is 400 if no call is valid, and 503 if one could not be stored now: libraries then send all of them again, and none is stored twice.",
      ),
    ),
    numbersBeside("Segment", [
      {
        metric: "visitors",
        theirs: "none; what it delivers to counts `anonymousId` or `userId` over any time.",
        so: "Sums of days are higher here, except for signed-in users in the retention report.",
      },
      { metric: "visits", theirs: "none; each destination has its own.", so: "" },
    ]),
  ],
});
