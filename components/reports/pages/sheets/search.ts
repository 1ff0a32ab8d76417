import type { z } from "zod";
import { column, type Sheet, sheetOf } from "@/components/reports/sheet";
import type siteSearch from "@/lib/operations/analytics.site_search";

export type SearchAnswer = z.output<(typeof siteSearch)["output"]>;
type Term = SearchAnswer["terms"][number];
type Next = Term["next_pages"][number];

/** The terms, and where people go after a search. */
export function searchSheets({ terms, total, comparison }: SearchAnswer): Sheet[] {
  const told = [
    column<Term>("Term", "text", (row) => row.term),
    column<Term>("Searches", "count", (row) => row.searches),
    column<Term>("Visitors", "count", (row) => row.visitors),
    column<Term>("No results", "fraction", (row) => row.zero_result_rate, {
      about: "Searches without results, of those that told how many they had",
    }),
    column<Term>("Refined", "fraction", (row) => row.refinement_rate, {
      about: "Searches that another one of a different term follows in the visit",
    }),
    column<Term>("Exits", "fraction", (row) => row.exit_rate, { about: "Searches that no page follows in the visit" }),
    column<Term>("Conversion rate", "fraction", (row) => row.conversion_rate, {
      about: "Searches that a conversion follows in the visit",
    }),
    column<Term>(
      "Seen next",
      "text",
      (row) => row.next_pages.map(({ page, searches }) => `${page} (${searches})`).join(", ") || null,
    ),
  ];
  const next = [
    column<Next>("Page", "text", (row) => row.page),
    column<Next>("Searches", "count", (row) => row.searches),
  ];
  return [
    sheetOf("terms", "Terms", terms, told, { before: comparison?.terms ?? null, bar: 1 }),
    sheetOf("next", "Seen next", total.next_pages, next, { bar: 1 }),
  ];
}
