import { DataTable } from "@/components/reports/pages/data-table";
import type { SearchAnswer } from "@/components/reports/pages/sheets/search";
import { Teach } from "@/components/reports/pages/teach";
import { type Tile, Tiles } from "@/components/reports/pages/tiles";
import { TrendCard } from "@/components/reports/pages/trend-card";
import type { Sheet } from "@/components/reports/sheet";

interface Props {
  answer: SearchAnswer;
  sheets: Map<string, Sheet>;
}

/** What visitors searched for, and whether they found it. */
export function SearchReport({ answer, sheets }: Props) {
  const { total, meta } = answer;
  if (total.searches === 0) {
    return (
      <Teach
        title="No searches in this range"
        code={'footfall("Search", { props: { term: "coffee grinder", results: 12 } });'}
        docs={{ href: "/docs/tracker", label: "How to send searches" }}
      >
        With script.full.js the pages of results are noticed by themselves. Or send an event called Search, with the
        number of results where you know it: then you see what nobody finds.
      </Teach>
    );
  }
  const [terms, next] = [sheets.get("terms"), sheets.get("next")];
  return (
    <>
      <Tiles tiles={tilesOf(answer)} />
      <TrendCard
        title="Searches"
        kind="bars"
        meta={meta}
        buckets={answer.series}
        series={[
          { key: "searches", label: "Searches", unit: "count", read: ({ searches }) => searches },
          { key: "zero_results", label: "Without results", unit: "count", read: ({ zero_results }) => zero_results },
        ]}
      />
      {terms && <DataTable sheet={terms} truncated={meta.truncated} />}
      {next && (
        <DataTable
          sheet={next}
          about="The pages that people open after a search."
          empty="No page was opened after a search."
        />
      )}
    </>
  );
}

function tilesOf({ total, comparison, conversion_basis }: SearchAnswer): Tile[] {
  const before = comparison?.total;
  return [
    { label: "Searches", kind: "count", value: total.searches, before: before?.searches },
    { label: "Terms", kind: "count", value: total.terms, before: before?.terms },
    {
      label: "No results",
      kind: "fraction",
      value: total.zero_result_rate,
      before: before?.zero_result_rate,
      lessIsBetter: true,
      about: "Searches without results, of those that told how many they had",
    },
    {
      label: "Refined",
      kind: "fraction",
      value: total.refinement_rate,
      before: before?.refinement_rate,
      lessIsBetter: true,
    },
    { label: "Exits", kind: "fraction", value: total.exit_rate, before: before?.exit_rate, lessIsBetter: true },
    {
      label: "Conversion rate",
      kind: "fraction",
      value: total.conversion_rate,
      before: before?.conversion_rate,
      about: conversion_basis === "goals" ? "Any goal of the site counts" : "Any event but a search counts",
    },
  ];
}
