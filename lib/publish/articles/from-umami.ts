import { type Article, code, part, steps, terms, text } from "@/lib/publish/articles/article";
import { numbersBeside, TEST_IT } from "@/lib/publish/articles/numbers-of-others";

const ID = "94db1cb1-74f4-4a40-ad6c-962362670409";
const tag = (base: string): string => `<script defer src="${base}/script.js" data-website-id="${ID}"></script>`;
const node = (base: string): string => `import umami from "@umami/node";
umami.init({ websiteId: "${ID}", hostUrl: "${base}" });`;

/** Each command of psql is one line. */
const COPY = ["website_event", "session"]
  .map((table) => `\\copy (SELECT * FROM ${table} WHERE website_id = '${ID}') TO '${table}.csv' CSV HEADER`)
  .join("\n");

export const fromUmamiArticle = (base: string): Article => ({
  slug: "from-umami",
  title: "Coming from Umami",
  lead: "Keep your tags and your code. Change the host, and map the website id to a site.",
  index: "use Umami's tag, @umami/node and /api/send here; which numbers differ",
  parts: [
    part(
      "change",
      "What to change",
      steps(
        "Add the site here, and map its website id: on its installation or import page, under Coming from Umami, or with `sites.aliases.set`. Or put the domain of the site into `data-website-id`.",
        `Replace the host in the tag and in \`hostUrl\` by \`${base}\`. A proxy of yours has to pass on \`/script.js\`, \`/umami.js\` and \`/api/send\`.`,
        "Import your history under Settings, Import: see below how to get it.",
      ),
      code("the tag", tag(base), "html"),
      code("the client", node(base), "js"),
      TEST_IT,
    ),
    part(
      "stays",
      "What stays",
      terms([
        [
          "The tag",
          "`data-website-id`, `data-host-url`, `data-domains`, `data-tag`, `data-auto-track`, `data-exclude-search`, `data-exclude-hash`, `data-do-not-track`, `data-performance` and `data-before-send`.",
        ],
        [
          "Calls",
          "`umami.track()` with a name, an object or a function, `umami.identify(id)`, and `data-umami-event` on elements.",
        ],
        [
          "POST /api/send",
          "`event`, `identify` and `performance` (web vitals of the page), with `timestamp` (seconds since 1970, within 72 hours), `id` and `userAgent`. `/api/batch` takes 100 of them. The answer has `cache`, `sessionId` and `visitId`, which identify nobody, and `warnings` for what was not used.",
        ],
        [
          "@umami/node",
          "As it is published. It ignores errors: refused events are counted for the site whose pages they name, whatever is wrong with them.",
        ],
      ]),
    ),
    part(
      "different",
      "What is different",
      terms([
        [
          "Events of @umami/node",
          "Are a server's: they count as pageviews and events, with no visitor and no visit, where Umami makes one visitor of all that a server sends. To count visitors, name the user with `id` in `umami.track({ url, id })`; or post the visitor's `userAgent` and `ip` to `/api/send` yourself, with an ingest key of the site as bearer, which the client cannot send.",
        ],
        [
          "identify without an id",
          "Is answered and not stored: visitors have no profiles. With an `id`, it names the user of the visit.",
        ],
        ["data", "Nested values get names with dots, such as `plan.seats`; lists become JSON."],
        ["Unknown website ids", "Are refused with 400 and a message, and their owner sees how many."],
        [
          "ip in the payload",
          "Is used only with an ingest key of the site as bearer, because anybody can send it. Or trust your proxy under Settings, Proxies.",
        ],
        ["link and pixel", "Are refused: send the `website` that they belong to."],
      ]),
    ),
    part(
      "history",
      "Get your history",
      text(
        "The table `website_event` is needed, and `session` where the events do not name browsers and countries. Export one website. Umami Cloud exports the tables as CSV, `website_event.csv` among them: drop its zip as it is. On a server of your own, run these commands in `psql`, on Umami's database, and drop both files. The zip that the dashboard of a website downloads has lists without dates, which cannot be imported.",
      ),
      code("the commands of psql", COPY, "sql"),
      terms([
        [
          "Taken over",
          "Visitors, visits, pageviews, events, bounces and durations by day, and by page, entry and exit page, source, channel, UTM source, medium and campaign, country, city, device, browser, operating system and event.",
        ],
        [
          "Not taken over",
          "Regions, which Umami has as codes; data of events and sessions, revenue and web vitals; links and pixels; UTM term and content, titles, hostnames, languages and screens; reports, segments and replays.",
        ],
        ["Days", "Are those of the site's timezone here, because Umami's times are exact."],
      ]),
    ),
    numbersBeside(
      "Umami",
      [
        {
          metric: "visitors",
          theirs: "a hash with a salt that changes each month.",
          so: "Umami counts a visitor of several days of a month once, so ranges of several days are higher here; single days are comparable. For the retention report alone, a site can recognise returning visitors within a month (Settings, Privacy).",
        },
        {
          metric: "visits",
          theirs:
            "a visit is what a visitor does within one hour of the clock. Only in a page that is not loaded again it goes on into the next hour, until 30 minutes after it started.",
          so: "Umami mostly has more: a visitor who loads pages from 10:50 to 11:10 makes two of its visits, and one of ours. It has fewer where visitors come back within the same hour after a break of more than 30 minutes.",
        },
        {
          metric: "bounce_rate",
          theirs: "visits with one pageview, whatever events they have.",
          so: "Lower here, because an event of a visitor ends a bounce.",
        },
        {
          metric: "visit_duration",
          theirs:
            "from the first pageview to the last, so a visit with one pageview lasts 0 seconds. Events do not count.",
          so: "Longer here: an event prolongs a visit, and so does the time for which the last page was read.",
        },
      ],
      text(
        "Imported days keep Umami's visitors, visits, pageviews and events. Bounces and durations are computed from its events by our rule, so they differ from what Umami showed: an event ends a bounce, and a visit lasts until its last pageview or event.",
      ),
    ),
  ],
});
