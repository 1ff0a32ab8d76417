import type { z } from "zod";
import { filteredBy } from "@/components/reports/row-filter";
import { column, type Sheet, sheetOf } from "@/components/reports/sheet";
import { valueColumn } from "@/components/reports/value-column";
import type seo from "@/lib/operations/analytics.seo";
import { msg, t } from "@/lib/texts/translate";

export type SeoAnswer = z.output<(typeof seo)["output"]>;
type LandingPage = SeoAnswer["organic"]["landing_pages"][number];
export type Provider = SeoAnswer["providers"][number];
type Query = Provider["queries"][number];
type Page = Provider["pages"][number];
type Opportunity = Provider["opportunities"][number];

const landing = [
  column<LandingPage>(msg("Landing page"), "path", (row) => row.page, { unknown: msg("Unknown page") }),
  valueColumn<LandingPage>(msg("Source"), "source", (row) => row.source, { unknown: msg("Unknown") }),
  column<LandingPage>(msg("Visitors"), "count", (row) => row.visitors),
  column<LandingPage>(msg("Visits"), "count", (row) => row.visits),
  column<LandingPage>(msg("Bounce rate"), "fraction", (row) => row.bounce_rate),
  column<LandingPage>(msg("Conversions"), "count", (row) => row.conversions, {
    about: msg("Visits with a conversion"),
  }),
  column<LandingPage>(msg("Conversion rate"), "fraction", (row) => row.conversion_rate),
];
const CTR = msg("Clicks per impression");
const POSITION = msg("Average position over all impressions; 1 is the top");
const figures = [
  column<Omit<Query, "query" | "page">>(msg("Clicks"), "count", (row) => row.clicks),
  column<Omit<Query, "query" | "page">>(msg("Impressions"), "count", (row) => row.impressions),
  column<Omit<Query, "query" | "page">>(msg("Click rate"), "fraction", (row) => row.ctr, { about: CTR }),
  column<Omit<Query, "query" | "page">>(msg("Position"), "number", (row) => place(row.position), { about: POSITION }),
];
/** One decimal place, as search engines show positions. */
export const place = (position: number | null): number | null => position && Math.round(position * 10) / 10;

const query = column<Pick<Query, "query">>(msg("Query"), "text", (row) => row.query);
const shownPage = column<Pick<Query, "page">>(msg("Page"), "path", (row) => row.page, {
  about: msg("The page that the query showed most often"),
});
const page = column<Page>(msg("Page"), "path", (row) => row.page);
const missed = [
  column<Opportunity>(msg("Expected rate"), "fraction", (row) => row.expected_ctr, {
    about: msg("Clicks per impression of all queries at the same position"),
  }),
  column<Opportunity>(msg("Missed clicks"), "count", (row) => Math.round(row.missed_clicks), {
    about: msg("How many more clicks the expected rate would be"),
  }),
];

/** Whether a provider has numbers of the site. */
export const hasNumbers = ({ fresh_until }: Provider): boolean => fresh_until !== null;

export function seoSheets({ organic, assistants, providers, meta }: SeoAnswer): Sheet[] {
  const link = ({ page, source }: LandingPage) => filteredBy(meta, { entry_page: page, source });
  const toPage = (row: { page?: string | null }) => (row.page ? filteredBy(meta, { entry_page: row.page }) : null);
  return [
    sheetOf("organic", msg("From search engines"), organic.landing_pages, landing, { bar: 3, link }),
    sheetOf("assistants", msg("From AI assistants"), assistants.landing_pages, landing, { bar: 3, link }),
    ...providers.filter(hasNumbers).flatMap(({ provider, queries, pages, opportunities }) => {
      // Bing does not say which pages a query showed.
      const named = provider === "google" ? [query, shownPage] : [query];
      return [
        sheetOf<Query>(
          `queries-${provider}`,
          t("Queries in {engine, select, google {Google} other {Bing}}", { engine: provider }),
          queries,
          [...named, ...figures],
          {
            bar: named.length,
            link: toPage,
          },
        ),
        sheetOf<Opportunity>(
          `opportunities-${provider}`,
          t("Opportunities in {engine, select, google {Google} other {Bing}}", { engine: provider }),
          opportunities,
          [...named, ...figures, ...missed],
          { link: toPage },
        ),
        sheetOf<Page>(
          `pages-${provider}`,
          t("Pages in {engine, select, google {Google} other {Bing}}", { engine: provider }),
          pages,
          [page, ...figures],
          {
            bar: 1,
            link: toPage,
          },
        ),
      ];
    }),
  ];
}
