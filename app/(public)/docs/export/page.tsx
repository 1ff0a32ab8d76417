import type { Metadata } from "next";
import { Code } from "@/components/docs/code";
import { Glossary } from "@/components/docs/parameters";
import { DocsPage, Part, Term } from "@/components/docs/prose";

export const metadata: Metadata = { title: "Export and import" };

/** What a line of an export holds, in the order of its columns. */
const COLUMNS: [word: string, about: string][] = [
  ["event_id", "Unique on the site, and where the export goes on when it broke off."],
  [
    "time, type, name",
    "When it happened, in UTC; what it was (`pageview`, `event`, `commerce` …); the name of a custom event.",
  ],
  ["copy", "1; 2 and on where a visit has several equal events in one moment."],
  [
    "visit_id, visitor_id, user_hash",
    "Pseudonyms, as numbers of 64 bits. A visitor has another one each day; `user_hash` is there where your own server sent user ids. `visitor_id` is empty for a server event without a visit.",
  ],
  ["hostname, path, title", "The page."],
  ["source, channel, channel_rule, referrer", "Where the visit came from, and which rule chose the channel."],
  ["utm_source … utm_content", "The campaign of the visit's first page."],
  ["country, region, city, language", "As exactly as the site keeps places."],
  ["browser, os, device, screen, bot", "With `browser_version` and `os_version`; `bot` is the name of a robot."],
  ["traffic", "`human`, `bot`, `ai`, `spam` or `suspicious`."],
  ["engagement_ms, scroll", "How long the page was read, and how far it was scrolled, in percent."],
  ["revenue, currency, props", "Decimal text, ISO 4217, and the event's own properties."],
  [
    "visit_…",
    "The visit as it is by now: when it started, its length, first and last page, pageviews, events, engagement, interactions and class.",
  ],
  ["verdict_…", "Why the visit is not a person's: rule, robot, operator, purpose, and the edition of the lists."],
];

const RESUME = `tail -n 1 events.ndjson   # a whole line? Its event_id is where it goes on; else drop it first
cat events.ndjson example.com-events-2026-11-22-continued.ndjson > whole.ndjson`;
const IMPORT = `npm run import -- --site example.com events.ndjson
npm run import -- --site example.com --format plausible ./plausible-export
npm run import -- --site example.com --format umami website_event.csv session.csv
npm run import -- --site example.com --format ga4 totals.csv countries.csv pages.csv`;

export default function ExportDocs() {
  return (
    <DocsPage title="Export and import" lead="Take all events of a site along, and bring what was counted elsewhere.">
      <Part id="export" title="Export">
        <p>
          Settings, Data: every stored event of the site as one file, the oldest first, for its managers and owners. It
          is made while it is sent, so that it may be of any length, and ends a minute before you asked for it. JSON has
          one object a line and is what an import reads. CSV is for spreadsheets: text that one would take for a formula
          gets an apostrophe in front. No line needs another one, and none holds an IP address: none is kept. Agents
          read the same rows by <Term>sites.export</Term>, a page at a time, with the scope <Term>events:read</Term>.
        </p>
        <Glossary rows={COLUMNS} />
      </Part>
      <Part id="resume" title="When a download breaks off">
        <p>
          Give the <Term>event_id</Term> of the last complete line under &ldquo;Go on behind&rdquo;, or as{" "}
          <Term>?after=</Term> in the address. What comes is exactly the rest, without a header, to be appended.
          Browsers that go on by themselves ask for bytes, and begin anew: nobody knows how many there will be.
        </p>
        <Code text={RESUME} what="the commands" />
      </Part>
      <Part id="import" title="Import">
        <p>
          On the machine of the service, beside the running server, with the same <Term>DATABASE_URL</Term> or{" "}
          <Term>DATA_DIR</Term>. The site must exist; give it the timezone that it had. Importing a file twice changes
          nothing. A line that is broken is told by its number.
        </p>
        <Code text={IMPORT} what="the commands" />
        <p>
          An export of Footfall, imported into an empty site, gives the same reports. What the site&rsquo;s people
          saved, its rates of exchange, the counts of refused events and the monthly retention stay behind, and so do
          the ids by which senders&rsquo; events are known: one that its sender repeats after the move counts again.
        </p>
      </Part>
      <Part id="imported" title="What comes from other services">
        <p>
          Daily sums by one dimension each: Plausible and Google Analytics 4 hand out nothing else, and Umami&rsquo;s
          events are added up to them, for its visitors are not ours. They fill the days before the site&rsquo;s own
          first event, in every report without filters, and <Term>meta.imported</Term> of an answer says which days they
          are. Under any filter they count nowhere: not in the numbers, the chart, a panel or the comparison. Several
          dimensions at once, hours, funnels, journeys and money know nothing of them either: where you ask for these,
          imported days are empty.
        </p>
        <Glossary
          rows={[
            [
              "plausible",
              "The CSVs of its export, unpacked and under their own names: visitors, pages, entry and exit pages, sources with their campaigns, countries, devices, browsers, operating systems and custom events. Regions and cities are left out, because they are numbers, and so are `imported_custom_props`. Channels are chosen by our rules.",
            ],
            [
              "umami",
              "Its tables `website_event` and `session` of one website, as CSV with headers. A visitor of a day is a session that began a visit on it. Web vitals, links and pixels are left out. Lists that its dashboard downloads have no dates and cannot be imported.",
            ],
            [
              "ga4",
              "CSVs with a date or an nth day, users and at most one dimension: page, landing page, source, medium, campaign, channel group, country, region, city, device, browser, operating system or event name. Bounce rate and average session duration, where they are columns, become sums. One file has no dimension, but sessions and views: headline numbers are never added up from parts. Headers are understood in English and German and as the API names them.",
            ],
          ]}
        />
        <p>
          All files of a command are read before anything is written. A file or column that is not understood is refused
          by its name, and then nothing is imported; what is left out on purpose is listed at the end. Two files with
          the same dimension must not share a day.
        </p>
        <p>
          What the numbers mean is told under{" "}
          <a href="/docs/metrics" className="text-accent underline">
            Metrics
          </a>
          ; what another service calls a visitor may be another thing.
        </p>
      </Part>
    </DocsPage>
  );
}
