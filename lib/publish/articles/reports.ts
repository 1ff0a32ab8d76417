import { REPORT_TEXTS } from "@/lib/contract/report-texts";
import { REPORTS, type ReportKey } from "@/lib/contract/reports";
import { type Article, part, terms, text } from "@/lib/publish/articles/article";

export const reportsArticle = (_base: string): Article => ({
  slug: "reports",
  title: "Reports",
  lead: "The dashboard answers the questions of each morning. Reports answer one question each.",
  index: "for owners: what each report answers, and how to read the dashboard",
  parts: [
    part(
      "dashboard",
      "The dashboard",
      text(
        "The numbers on top are of the chosen period, with their change against the period before. Click one to draw it. Drag over the chart to zoom, click a bar to open its day. A dotted end means that the period is not over. Each number shows its definition when you point at it, and [Metrics](/docs/metrics) has all of them.",
      ),
      text(
        "With a keyboard, `?` lists the shortcuts: `D`, `W`, `M` and `Y` for periods, `F` for a filter, `X` for the comparison.",
      ),
    ),
    part(
      "reports",
      "The reports",
      text(
        "Most reports begin with a sentence that says what changed or what is worst, and that it may be chance where there are few data. A name that is a link shows only its visits, or opens its detail; a number on top that can be pressed is drawn below. A step of Journeys can be followed, or be the start. Another report keeps the period, the comparison and the filters, and so does the menu of sites, with the filters that mean the same on both.",
      ),
      terms(
        (Object.keys(REPORTS) as ReportKey[]).map((key) => [
          REPORTS[key].name,
          [REPORT_TEXTS[key].about, REPORT_TEXTS[key].more].filter(Boolean).join(" "),
        ]),
      ),
    ),
    part(
      "combined",
      "One report over several sites",
      text(
        "“Combined report” above your sites adds up sites that you choose, a tag of yours or a team: totals with their change, the course, each site, and top sources, pages and countries with their site. The address holds the choice, each table is a CSV, and agents call `sites.combined`. Visitors are summed, because every site has visitor ids of its own: who visits two of them is counted on each. Rates are those of all visits, not averages of sites. Days are the local days of each site. Revenue is in one currency, by default that of most of the sites, and each site's own exchange rates convert it; what has no rate is named beside it. Conversions are those of any goal, and their rate is that of the sites with goals.",
      ),
    ),
    part(
      "unsure",
      "When numbers look odd",
      text(
        "An open period is compared with the same hours of the earlier one, not with all of it. Visitors count once a day, so the visitors of a week are the sum of its days. Robots are left out unless you ask for them. Under Exclusions, “Event outcomes” says how many events were not counted and why; on the installation page, a test opens your site and says what it finds.",
      ),
    ),
  ],
});
