import type { z } from "zod";
import { filteredBy } from "@/components/reports/row-filter";
import { column, type Sheet, sheetOf } from "@/components/reports/sheet";
import type siteSearch from "@/lib/operations/analytics.site_search";
import { msg, t } from "@/lib/texts/translate";

export type SearchAnswer = z.output<(typeof siteSearch)["output"]>;
export type Term = SearchAnswer["terms"][number];
type Next = Term["next_pages"][number];

const next = [
  column<Next>(msg("Page"), "path", (row) => row.page),
  column<Next>(msg("Searches"), "count", (row) => row.searches),
];

/** Returns the tables of search terms and of the pages opened after a search. */
export function searchSheets({ terms, total, comparison, meta }: SearchAnswer): Sheet[] {
  const columns = [
    column<Term>(msg("Term"), "text", (row) => row.term),
    column<Term>(msg("Searches"), "count", (row) => row.searches),
    column<Term>(msg("Visitors"), "count", (row) => row.visitors),
    column<Term>(msg("No results"), "fraction", (row) => row.zero_result_rate, {
      about: msg("Share of searches without results, of the searches with a known number of results"),
    }),
    column<Term>(msg("Refined"), "fraction", (row) => row.refinement_rate, {
      about: msg("Share of searches that are followed by a search for a different term in the same visit"),
    }),
    column<Term>(msg("Exits"), "fraction", (row) => row.exit_rate, {
      about: msg("Share of searches that are not followed by a page"),
    }),
    column<Term>(msg("Conversion rate"), "fraction", (row) => row.conversion_rate, {
      about: msg("Share of searches that are followed by a conversion in the same visit"),
    }),
    column<Term>(
      msg("Next pages"),
      "path",
      (row) => row.next_pages.map(({ page, searches }) => `${page} (${searches})`).join(", ") || null,
    ),
  ];
  return [
    sheetOf("terms", msg("Terms"), terms, columns, {
      before: comparison?.terms ?? null,
      bar: 1,
      link: ({ term }) => ({ term }),
    }),
    sheetOf("next", msg("Next pages"), total.next_pages, next, {
      bar: 1,
      link: ({ page }) => filteredBy(meta, { page }),
    }),
  ];
}

/** Returns the table of the pages that visitors open after a search for one term. */
export const nextOfTerm = ({ term, next_pages }: Term, { meta }: SearchAnswer): Sheet =>
  sheetOf("term", t("Next pages after “{term}”", { term }), next_pages, next, {
    bar: 1,
    link: ({ page }) => filteredBy(meta, { page }),
  });
