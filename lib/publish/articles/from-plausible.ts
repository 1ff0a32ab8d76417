import { type Article, code, part, steps, terms, text } from "@/lib/publish/articles/article";
import { numbersBeside, TEST_IT } from "@/lib/publish/articles/numbers-of-others";

const tag = (base: string): string =>
  `<script defer data-domain="example.com" src="${base}/js/script.outbound-links.file-downloads.js"></script>`;
const npm = (base: string): string => `import { init } from "@plausible-analytics/tracker";
init({ domain: "example.com", endpoint: "${base}/api/event" });`;
const next = (base: string): string =>
  `<PlausibleProvider src="${base}/js/pa-example.com.js" init={{ endpoint: "${base}/api/event" }} />`;

export const fromPlausibleArticle = (base: string): Article => ({
  slug: "from-plausible",
  title: "Coming from Plausible",
  lead: "Keep your snippets and your code. Only the host changes.",
  index: "use Plausible's snippets, npm clients and Events API here; which numbers differ",
  parts: [
    part(
      "change",
      "What to change",
      steps(
        "Add the site here under the domain that `data-domain` names.",
        `Replace \`https://plausible.io\` by \`${base}\` in the tag, in \`endpoint\` or \`apiHost\`, or in the rule of your proxy.`,
        "Where a proxy sends the events, `withPlausibleProxy` of `next-plausible` too, [add its address](/docs/proxies) to the site: otherwise all visitors count as one.",
        "Import your history under Settings, Import: see below how to get it.",
      ),
      code("the tag", tag(base), "html"),
      code("the client", npm(base), "js"),
      code("the provider", next(base), "jsx"),
      TEST_IT,
    ),
    part(
      "stays",
      "What stays",
      terms([
        [
          "Scripts",
          "`/js/script.js`, `/js/plausible.js` and `/js/pa-….js`, with the extensions hash, outbound-links, file-downloads, tagged-events, revenue, pageview-props, manual, local, exclusions and compat in any combination. A `pa-` script takes its site from `plausible.init({ domain })`, from its name (`pa-example.com.js`), or from the address of the page.",
        ],
        ["plausible()", "With `props`, `revenue`, `interactive`, `u` and `callback`, and the queue `plausible.q`."],
        ["Clients", "`@plausible-analytics/tracker`, `plausible-tracker` and `next-plausible`, as they are published."],
        [
          "Events API",
          "`POST /api/event` with long or short names, `props` as an object or as JSON text, `app://` addresses, and several domains separated by commas: each site gets the event, or none. The answer is 202. An invalid event with short names, as the clients send them, gets 400 with `errors` by field; one with long names gets 422 in the form of our [Events API](/docs/events-api#errors).",
        ],
        [
          "Attributes",
          "`data-domain`, `data-api`, `event-…`, `data-include`, `data-exclude`, `file-types`, `add-file-types`, and the classes `plausible-event-…` and `plausible-revenue-…`.",
        ],
      ]),
    ),
    part(
      "different",
      "What is different",
      terms([
        [
          "X-Forwarded-For",
          "Counts only from proxies that the site trusts (Settings, Proxies), because anybody can send it. Servers that send for their visitors use the [Measurement Protocol](/docs/measurement-protocol).",
        ],
        [
          "Several domains",
          "A page must be on a domain of each site that it names. Add the domain to the site that sums up others.",
        ],
        ["Addresses of links", "Are stored without their query, which can contain secrets."],
        ["Limits", "50 properties with names of up to 100 characters. Longer values are cut at 2,000 characters."],
      ]),
    ),
    part(
      "history",
      "Get your history",
      text(
        "In Plausible, open the settings of the site, Imports & exports, and let it prepare the export. It is a zip with a CSV for each table; drop it as it is. Your own server of Plausible has the same page. What Plausible itself had imported, such as from Google Analytics, is not in its export: import that from where it came.",
      ),
      terms([
        [
          "Taken over",
          "Visitors, visits, pageviews, bounces and durations by day, and by page, entry and exit page, source, channel, UTM source, medium and campaign, country, device, browser and operating system; custom events with their visitors.",
        ],
        [
          "Not taken over",
          "Regions and cities, which are codes and numbers in the export; properties of events and the addresses of links; revenue, goals and funnels; UTM term and content, referrers' addresses, hostnames and versions; scroll depth, time on page and `engagement`.",
        ],
        ["Days", "Are those of the site's timezone in Plausible. Channels follow our rules, by source and campaign."],
      ]),
    ),
    numbersBeside("Plausible", [
      {
        metric: "visitors",
        theirs: "a hash with a salt of one day, so a visitor who comes back on another day counts again.",
        so: "About the same, over any range. A visit over midnight is a visitor of both days here; Plausible counts it once in a range that has both.",
      },
      {
        metric: "visits",
        theirs: "30 minutes without activity end a visit.",
        so: "The same. Bots are left out by lists that differ, so a site with many of them differs.",
      },
      {
        metric: "bounce_rate",
        theirs: "one pageview and no event that is interactive.",
        so: "The same.",
      },
      {
        metric: "visit_duration",
        theirs: "from the first event to the last, since 2025 with engagement.",
        so: "The same for new data. Imported days of before are shorter.",
      },
      {
        metric: "time_on_page",
        theirs: "engaged time, divided by visits of the page.",
        so: "Ours is divided by pageviews, so it is lower where visitors come back to a page.",
      },
    ]),
  ],
});
