import type { z } from "zod";
import { column, type Sheet, sheetOf } from "@/components/reports/sheet";
import { valueColumn } from "@/components/reports/value-column";
import { addressOf } from "@/components/reports/view";
import { METRICS } from "@/lib/contract/vocabulary";
import type sitesCombined from "@/lib/operations/sites.combined";
import { siteTitle } from "@/lib/platform/legible-host";
import { msg } from "@/lib/texts/translate";
import { type CombinedView, rangeParams } from "./view";

export type Combined = z.output<(typeof sitesCombined)["output"]>;
type SiteRow = Combined["sites"][number];
type ListRow = Combined["sources"][number];

/** The lists of the report: their titles, and the dimension that each one shows. */
const LISTS = [
  ["sources", msg("Sources"), msg("Source"), "source"],
  ["pages", msg("Pages"), msg("Page"), "page"],
  ["countries", msg("Countries"), msg("Country"), "country"],
] as const;

const metric = (key: "visitors" | "visits" | "pageviews" | "bounce_rate" | "visit_duration") =>
  column<SiteRow>(METRICS[key].label, KINDS[key], ({ metrics }) => metrics?.[key] ?? null, {
    about: METRICS[key].about,
  });
const KINDS = {
  visitors: "count",
  visits: "count",
  pageviews: "count",
  bounce_rate: "fraction",
  visit_duration: "seconds",
} as const;

/** Returns the tables of the report; each row leads to the dashboard of its site. */
export function sheetsOf(answer: Combined, view: CombinedView): Sheet[] {
  const home = (siteId: number, more = {}) => addressOf(`/sites/${siteId}`, { ...rangeParams(view), ...more });
  const titles = new Map(answer.sites.map((site) => [site.site_id, siteTitle(site)]));
  return [
    sheetOf(
      "sites",
      msg("Sites"),
      answer.sites,
      [
        column<SiteRow>(msg("Site"), "text", siteTitle),
        ...(["visitors", "visits", "pageviews", "bounce_rate", "visit_duration"] as const).map(metric),
      ],
      {
        before: answer.sites.map((site) => site.previous && { ...site, metrics: site.previous }),
        bar: 1,
        href: ({ site_id }) => home(site_id),
      },
    ),
    ...LISTS.map(([list, title, label, dimension]) =>
      sheetOf(
        list,
        title,
        answer[list],
        [
          valueColumn<ListRow>(label, dimension, ({ value }) => value),
          column<ListRow>(msg("Visitors"), "count", ({ visitors }) => visitors, { about: METRICS.visitors.about }),
          column<ListRow>(msg("Site"), "text", ({ site_id }) => titles.get(site_id) ?? null),
        ],
        {
          bar: 1,
          href: ({ site_id, value }) => home(site_id, { filters: JSON.stringify({ [dimension]: value ?? "" }) }),
        },
      ),
    ),
  ];
}
