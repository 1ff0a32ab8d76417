import { type Article, code, part, terms, text } from "@/lib/publish/articles/article";
import { ACTIONS } from "@/lib/publish/groups";
import { FIELD, JSON_TYPE_OPTION, NEW_KEY } from "@/lib/publish/walkthrough-shell";
import { COLUMNS, parquetType } from "@/lib/transfer/line";

/** The columns of an export, in their order. */
const MEANINGS: [string, string][] = [
  ["event_id", "Unique in the site. A download that stopped continues after it."],
  [
    "time, type, name",
    "The time in UTC, the type (`pageview`, `event`, `commerce` …), and the name of a custom event.",
  ],
  ["copy", "1; or 2 and more, if a visit has several equal events at the same moment."],
  [
    "visit_id, visitor_id, user_hash",
    "Pseudonyms, as numbers of 64 bits. A visitor has a new one each day. `user_hash` is set if your server sent a user id. `visitor_id` is empty for a server event without a visit.",
  ],
  ["hostname, path, title", "The page."],
  ["source, channel, channel_rule, referrer", "Where the visit came from, and which rule chose the channel."],
  ["utm_source … utm_content", "The campaign of the visit's first page."],
  ["country, region, city, language", "Locations as precise as the site stores them."],
  ["browser, os, device, screen, bot", "With `browser_version` and `os_version`; `bot` is the name of a bot."],
  ["traffic", "`human`, `bot`, `ai`, `spam` or `suspicious`."],
  ["engagement_ms, scroll", "How long the page was read, and how far it was scrolled, in percent."],
  ["status", "The HTTP status of the page, where an access log or a server told it."],
  ["revenue, currency, props", "Decimal text, ISO 4217 code, and the properties of the event."],
  [
    "visit_…",
    "The visit so far: start, length, first and last page, pageviews, interactions (up to 100) and class. Its events and its engagement are the sums of its lines.",
  ],
  ["verdict_…", "Why the visit is not human: rule, bot, operator, purpose, and the version of the lists."],
];

const FILES: [string, string][] = [
  [
    "JSON",
    "NDJSON in UTF-8: one object a line, null for what is unknown. 64-bit numbers and money are text, because JavaScript would round them.",
  ],
  [
    "CSV",
    "RFC 4180 in UTF-8 with a byte order mark and one row of column names. An empty field is unknown; `props` is JSON. A text that spreadsheets would run as a formula gets an apostrophe in front, which an import takes away.",
  ],
  [
    "Parquet",
    "Written by DuckDB with zstd, in groups of about 10,000 rows by time. Timestamps are in UTC with microseconds. `revenue` has 18 decimal places, as reports have it; an amount that does not fit is null.",
  ],
];

/** The columns of each type, of which those of text are the rest. */
const TYPES: [string, string][] = [...new Set(COLUMNS.map(parquetType))].map((type) => [
  type,
  type === "VARCHAR" ? "All others." : COLUMNS.filter((column) => parquetType(column) === type).join(", "),
]);

const RESUME = `tail -n 1 events.ndjson   # a complete line? Continue after its event_id; otherwise remove it first
cat events.ndjson example.com-events-2026-11-22-continued.ndjson > whole.ndjson`;
const IMPORT = `npm run import -- --site example.com events.parquet
npm run import -- --site example.com --format plausible ./plausible-export
npm run import -- --site example.com --format umami website_event.csv session.csv
npm run import -- --site example.com --format ga4 totals.csv countries.csv pages.csv
npm run import -- --site example.com --format matomo ./matomo-reports
npm run import -- --site example.com --format fathom fathom-export.zip
npm run import -- --site example.com --format goatcounter goatcounter-export.zip
npm run import -- --site example.com --format simple_analytics pageviews.csv events.csv`;

const FORMATS: [string, string][] = [
  [
    "plausible",
    "The CSV files of its export, as they are: visitors, pages, entry and exit pages, sources with their campaigns, countries, devices, browsers, operating systems and custom events, but for `engagement`, which is how long pages were read. Regions and cities are skipped, because the export only has codes (US-CA) and GeoNames numbers for them, and so is `imported_custom_props`. Channels follow the rules of this service.",
  ],
  [
    "umami",
    "The tables `website_event` and `session` of one website, as CSV with headers. A visitor of a day is a session with an event on that day. Bounces and durations follow our rule. Regions are skipped, because Umami only has codes for them, such as US-CA; cities are names and are taken over. Web vitals, links and pixels are skipped. Lists that its dashboard downloads have no dates and cannot be imported.",
  ],
  [
    "ga4",
    "CSV files with a date or an nth day, users and at most one dimension: page, landing page, source, medium, campaign, channel group, country, region, city, device, browser, operating system or event name. Bounce rate and average session duration, if present, become sums; without them they are unknown (null), never 0, and so is the number of events without a file of event names. One file must have no dimension but sessions and views: totals are never added up from parts. A report without days is imported if it is of one day. Headers can be in any of 25 languages, or as the API names them; columns with other names are recognised by their values where these can mean one thing only, and asked for otherwise. Numbers can have any separators.",
  ],
  [
    "matomo",
    "Reports by day, as the Reporting API answers them in JSON or CSV with `period=day`, or as its pages export them in CSV, TSV or JSON, in English, German, French or Spanish: [Coming from Matomo](/docs/from-matomo) has the list. Which report a file has is told by its rows; a file without days must be named after one. Or its log of visits in JSON.",
  ],
  [
    "fathom",
    "The CSV files of its whole export, or exports with at most one dimension, by hour or day: see [Coming from Fathom](/docs/from-fathom). Its visitors of a day are its visits.",
  ],
  [
    "simple_analytics",
    "The data points of its export as CSV, pageviews with `is_unique` and events with `datapoint`: [what they mean](/docs/from-others). Robots and metadata are skipped.",
  ],
  [
    "footfall_totals",
    "The CSV of imported totals that [an export](#export) of Footfall has. Its dimensions and numbers stay as they are.",
  ],
  [
    "goatcounter",
    "The CSV of single pageviews (versions 1 and 2), where a session is a visit; or the zip of its JSON export, which only has counts. Languages, screen sizes and regions are skipped.",
  ],
];

const TOKEN = '-H "Authorization: Bearer $TOKEN"';
const download = (base: string): string => `${FIELD}
curl -sG ${TOKEN} -d site_id=1 -d format=parquet "${base}${ACTIONS}/sites.export.download" > answer.json
curl -sS -O -J "$(field url answer.json)"
curl -sG ${TOKEN} -d site_id=1 -d report=campaigns -d format=pdf --data-urlencode 'filters={"country":"FR"}' \\
  "${base}${ACTIONS}/sites.export.report" > answer.json
curl -sS -O -J "$(field url answer.json)"`;
const upload = (base: string): string => `${FIELD}
call() { curl -s ${TOKEN} ${NEW_KEY} ${JSON_TYPE_OPTION} -d "$2" "${base}${ACTIONS}/$1"; }
SIZE=$(wc -c < export.zip | tr -d ' ')
call sites.imports.upload '{"site_id":1,"name":"export.zip","size":'"$SIZE"'}' > file.json
ID=$(field file_id file.json)
OFFSET=0
while [ "$OFFSET" -lt "$SIZE" ]; do
  dd if=export.zip bs=8388608 skip=$((OFFSET / 8388608)) count=1 2> /dev/null | curl -s -X PUT ${TOKEN} \\
    -H 'Content-Type: application/octet-stream' --data-binary @- \\
    "${base}/api/v1/management/uploads/$ID?offset=$OFFSET"
  OFFSET=$((OFFSET + 8388608))
done
call sites.imports.create '{"site_id":1,"files":["'"$ID"'"]}' > run.json
while sleep 2; do
  curl -sG ${TOKEN} -d site_id=1 "${base}${ACTIONS}/sites.imports.list" > runs.json
  grep -q '"state":"checking"' runs.json || break
done
cat runs.json  # the days and totals; then:
call sites.imports.start '{"site_id":1,"import_id":"'"$(field import_id run.json)"'"}'`;

export const exportAndImportArticle = (base: string): Article => ({
  slug: "export",
  title: "Export and import",
  lead: "Export all events of a site, and import data from other services.",
  index: "events and reports as files; history of seven other products, and how to import it",
  parts: [
    part(
      "export",
      "Export",
      text(
        "Managers and owners export every stored event of a site as one file under Settings, Data, oldest first. The file is streamed, so it can have any length, and ends one minute before the request. All formats have the same rows and columns, and each can be imported again. Each line is complete in itself, and none contains an IP address. Agents get the same file, or its rows page by page: see [For agents](#agents).",
      ),
      terms(MEANINGS),
      text(
        "The daily totals that imports from other services brought are no events, and are in a file of their own, under Settings, Data or with `content=imported`: CSV with one row for each day, dimension and value. `date` is the day in the timezone of that service, `dimension` one of those of reports, or `all` for the whole day. `duration_ms` is the sum over visits; an empty number is one that the service did not tell. Imported again, the file gives the same reports; into a site that has events, only the days before its first one, so import it first. `imported_from` is not taken back: all its totals are then from Footfall, and are removed together.",
      ),
    ),
    part("formats", "Formats", terms(FILES), text("The types of the columns in Parquet:"), terms(TYPES)),
    part(
      "resume",
      "Resume a download",
      text(
        "Enter the `event_id` of the last complete line in the field for continuing, or add it to the URL as `?after=`. The download contains exactly the rest, without a header; append it. A Parquet file that stopped cannot be read: download it again. The rest after an event is a file of its own, and programs read both as one table. Browsers that resume by themselves ask for bytes and start over, because the length is not known in advance.",
      ),
      text(
        "To keep a copy up to date, do not only continue: events that their sender timed, and those of clocks that differ, may arrive up to 72 hours late and then stand before lines that you have. Export the last four local days again, with `from` of `sites.export`, and replace these days in your copy.",
      ),
      code("the commands", RESUME),
    ),
    part(
      "reports",
      "Reports",
      text(
        "Each table of a report has a CSV, each report a PDF and the answer of its operation as JSON. The PDF has the range, filters and totals of the view, the visitors over time, and up to 100 rows of each table. It has Latin, Greek, Cyrillic and Devanagari letters; those of other scripts are boxes, which a note says. In CSV, numbers have at most four decimal places or four digits; JSON has all digits.",
      ),
    ),
    part(
      "import",
      "Import",
      text(
        "Owners drop files or a zip of another service, or exports of Footfall, under Settings, Import, and see the days and totals before anything is stored. [Agents](#agents) do the same. Uploads have at most 512 MiB a file and 1 GiB a site, and are deleted after the import, or after a day. Archives in archives and encrypted ones are refused.",
      ),
      text(
        "Google Analytics can also be fetched: an owner connects a Google account under Settings, Import, which then may only read it, and chooses a property and its days (`sites.imports.properties`, `sites.imports.fetch`). A year takes some minutes, or hours where Google's quotas stop it. The preview says which reports are samples, or lack rows of few users. The consent ends after two weeks, or with `sites.imports.disconnect`.",
      ),
      text(
        "Or run the command on the machine of the service, next to the running server, with the same `DATABASE_URL` or `DATA_DIR`. The site must exist; give it the timezone of the old site. Importing a file twice changes nothing. Faulty lines are reported by number.",
      ),
      code("the commands", IMPORT),
      text(
        "An export of Footfall in any of its formats, NDJSON and CSV also gzipped, gives the same reports after import into an empty site: by upload or by the command; NDJSON and CSV also in a zip, Parquet as it is. Its events become the site's own, and nothing tells them from the others. So this import cannot be undone, which the preview says: to try it first, import into a new site. Events that are stored already are not added again; events that both services counted at the same time count twice. Days with imported totals show their events instead. An upload is refused if no page of it is on a domain of the site, if an event is older than 15 years, if there are more than 10,000,000, or if a row of Parquet has more than 64 KiB of text. Not included: saved items of the site, exchange rates, counts of refused events, the monthly salt, and event ids of senders. An event that its sender repeats after the move counts again.",
      ),
    ),
    part(
      "agents",
      "For agents",
      text(
        "`sites.export.download` (scope `events:read`, role manager) and `sites.export.report` (scope `analytics:read`) answer an address at which `GET /api/v1/management/downloads/{ticket}` serves the file that owners download, for ten minutes and without a token. Keep it as secret as a token until it expires. It stops working when the agent loses its access. Programs that want rows rather than a file call `sites.export`, page by page.",
      ),
      code("the downloads", download(base)),
      text(
        "To import, announce each file with `sites.imports.upload`, send its bytes by `PUT /api/v1/management/uploads/{file_id}` in parts of at most 8 MiB as `application/octet-stream`, call `sites.imports.create` with the ids, wait until `sites.imports.list` says `ready`, look at its totals, and call `sites.imports.start`.",
      ),
      code("an import", upload(base)),
    ),
    part(
      "imported",
      "Imports from other services",
      text(
        "They are daily sums by one dimension each: most services export nothing else, and single events and visits are summed up, because their visitors are not comparable. They fill the days before the site's first own event, in every report without filters. `meta.imported` in an answer has these days. Reports with any filter, with several dimensions, by hour, and funnels, journeys and revenue do not include them.",
      ),
      terms(FORMATS),
      text(
        "An import reads all files before it writes anything. If it does not understand a file or column, it names it and imports nothing. What is skipped on purpose is listed at the end. Two files with the same dimension must not share a day.",
      ),
      text("[Metrics](/docs/metrics) defines each number; other services may define visitors differently."),
    ),
  ],
});
