import { type Article, code, part, steps, terms, text } from "@/lib/publish/articles/article";
import { TEST_IT } from "@/lib/publish/articles/numbers-of-others";

const tag = (base: string): string => `<script defer data-domain="example.com" src="${base}/script.js"></script>`;
const POINTS = `curl "https://simpleanalytics.com/api/export/datapoints?version=6&format=csv&hostname=example.com&start=2024-01-01&end=2024-12-31&type=pageviews&fields=added_iso,uuid,path,is_unique,is_robot,document_referrer,utm_source,country_code,device_type,browser_name,os_name" \\
  -H "Api-Key: …" -H "User-Id: …" > pageviews.csv`;

export const fromOthersArticle = (base: string): Article => ({
  slug: "from-others",
  title: "Coming from Simple Analytics or GoatCounter",
  lead: "Replace the tag, and import your history.",
  index: "move from Simple Analytics or GoatCounter; which numbers differ",
  parts: [
    part(
      "change",
      "What to change",
      steps(
        "Replace the tag by ours.",
        "Replace calls: `sa_event(name, metadata)` and `goatcounter.count({ path, event: true })` become `footfall(name, { props })`.",
        "Import your history under Settings, Import, as below. Give the site the timezone of the old one first.",
      ),
      code("the tag", tag(base), "html"),
      TEST_IT,
    ),
    part(
      "simple-analytics",
      "Simple Analytics",
      text(
        "Export data points as CSV, in its dashboard or by its API: pageviews with `is_unique`, which alone tells visitors, and events as a second file. Drop both.",
      ),
      code("the export", POINTS),
      terms([
        [
          "Visitors",
          "Pageviews that come from elsewhere (`is_unique`): a person who comes back by a link counts again. So they are imported as visitors and as visits.",
        ],
        ["Pageviews and events", "The same, without robots."],
        ["Bounce rate, visit duration", "Unknown for imported days, like the pageviews of a source."],
      ]),
    ),
    part(
      "goatcounter",
      "GoatCounter",
      text(
        "Settings, Export has two formats. The CSV has every pageview, if “Individual pageviews” was on under Data collection; choose it if you can. The JSON export is a zip of counts; drop it as it is.",
      ),
      terms([
        [
          "Visits, from the CSV",
          "A session is a visit. It ends eight hours after its last page, ours after 30 minutes: GoatCounter has fewer and longer ones.",
        ],
        [
          "Visits, from the JSON",
          "GoatCounter counts a session once for each of its pages, and shows the sum. It is imported as visitors, visits and pageviews: more visitors than here, and fewer pageviews.",
        ],
        [
          "Days",
          "Pages and sources are counted by hour, so their days are those of your site. Browsers, systems and countries are counted by UTC days.",
        ],
      ]),
    ),
  ],
});
