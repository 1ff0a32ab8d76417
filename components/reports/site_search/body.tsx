import { DataTable } from "@/components/reports/parts/data-table";
import { EmptyReport } from "@/components/reports/parts/empty-report";
import { overOf } from "@/components/reports/parts/tile-series";
import { type ChartedTile, TileTrend } from "@/components/reports/parts/tile-trend";
import { startsOf, trendMeta } from "@/components/reports/parts/trend-card";
import type { ReportProps } from "@/components/reports/sheet";
import type { SearchAnswer } from "@/components/reports/site_search/sheets";

/** Report: the site's search terms and their results. */
export function SearchReport({ answer, sheets }: ReportProps<SearchAnswer>) {
  const { total, meta } = answer;
  if (total.searches === 0) {
    return (
      <EmptyReport
        title="No searches in this range"
        code={'footfall("Search", { props: { term: "coffee grinder", results: 12 } });'}
        docs={{ href: "/docs/tracker", label: "How to send searches" }}
      >
        script.full.js detects search result pages automatically. Or send a Search event with the number of results to
        see which searches have none.
      </EmptyReport>
    );
  }
  const [terms, next] = [sheets.get("terms"), sheets.get("next")];
  return (
    <>
      <TileTrend tiles={tilesOf(answer)} meta={trendMeta(meta)} buckets={startsOf(answer.series)} />
      {terms && <DataTable sheet={terms} truncated={meta.truncated} />}
      {next && (
        <DataTable
          sheet={next}
          about="The pages that visitors open after a search."
          empty="No page was opened after a search."
        />
      )}
    </>
  );
}

function tilesOf({ total, comparison, conversion_basis, series }: SearchAnswer): ChartedTile[] {
  const before = comparison?.total;
  const counts = (label: string, read: (bucket: (typeof series)[number]) => number) =>
    overOf(label, { unit: "count", values: series.map(read) }, "bars");
  return [
    {
      label: "Searches",
      kind: "count",
      value: total.searches,
      before: before?.searches,
      over: counts("Searches", ({ searches }) => searches),
    },
    { label: "Terms", kind: "count", value: total.terms, before: before?.terms, over: null },
    {
      label: "No results",
      kind: "fraction",
      value: total.zero_result_rate,
      before: before?.zero_result_rate,
      about: "Share of searches without results, of the searches with a known number of results",
      over: counts("Searches without results", ({ zero_results }) => zero_results),
    },
    {
      label: "Refined",
      kind: "fraction",
      value: total.refinement_rate,
      before: before?.refinement_rate,
      over: null,
    },
    { label: "Exits", kind: "fraction", value: total.exit_rate, before: before?.exit_rate, over: null },
    {
      label: "Conversion rate",
      kind: "fraction",
      value: total.conversion_rate,
      before: before?.conversion_rate,
      about: conversion_basis === "goals" ? "Any goal of the site counts" : "Any event except a search counts",
      over: null,
    },
  ];
}
