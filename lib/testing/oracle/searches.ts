import { basisOf, converts, ranked, selectWithGoal, type WithGoal } from "@/lib/testing/oracle/acquisition";
import { type Fact, isNamed, isView } from "@/lib/testing/oracle/facts";
import { ratio, visitorsOf } from "@/lib/testing/oracle/metrics";
import type { Known, Selection } from "@/lib/testing/oracle/query";
import { seriesOf } from "@/lib/testing/oracle/series";

/** Expected answer of site search: follows each search to the end of its visit. */

export const termOf = (fact: Fact): string | null => {
  const term = fact.props?.term;
  return isNamed(fact) && fact.name === "Search" && typeof term === "string" ? term.toLowerCase() : null;
};

export function searches(query: WithGoal, known: Known): object {
  const { scope, before } = selectWithGoal(query, known);
  const terms = termsOf(scope);
  const earlier = before && termsOf(before);
  return {
    conversion_basis: basisOf(known, query.goal),
    goal: query.goal ?? null,
    total: totalOf(scope),
    terms,
    comparison: before && {
      total: totalOf(before),
      terms: terms.map(({ term }) => earlier?.find((one) => one.term === term) ?? null),
    },
    series: seriesOf(scope, (part) => {
      const all = part.facts.filter((fact) => termOf(fact) !== null);
      const { searches, zero_result_rate, refinement_rate, exit_rate, conversion_rate } = numbersOf(all, part);
      const zero_results = all.filter(({ props }) => props?.results === 0).length;
      return {
        searches,
        terms: new Set(all.map(termOf)).size,
        zero_results,
        zero_result_rate,
        refinement_rate,
        exit_rate,
        conversion_rate,
      };
    }),
  };
}

function totalOf(scope: Selection): object {
  const all = scope.facts.filter((fact) => termOf(fact) !== null);
  return { terms: new Set(all.map(termOf)).size, ...numbersOf(all, scope) };
}

function termsOf(scope: Selection) {
  const terms = new Set(scope.facts.flatMap((fact) => termOf(fact) ?? []));
  const rows = [...terms].map((term) => {
    const those = scope.facts.filter((fact) => termOf(fact) === term);
    return { term, ...numbersOf(those, scope) };
  });
  return ranked(
    rows,
    (row) => [row.searches],
    (row) => [row.term],
  );
}

function numbersOf(those: Fact[], { known, range }: Selection) {
  const met = (fact: Fact) => converts(fact, known) && (known.goals.length > 0 || fact.name !== "Search");
  const after = (search: Fact) => search.visit.facts.filter((fact) => fact.at > search.at);
  const informative = those.filter(({ props }) => props?.results !== undefined);
  const nextPages = those.map((search) => after(search).find(isView)?.page?.path ?? null);
  const pages = [...new Set(nextPages)].flatMap((page) =>
    page === null ? [] : [{ page, searches: nextPages.filter((one) => one === page).length }],
  );
  const exits = those.filter((search) => !after(search).some(isView)).length;
  const refined = those.filter((search) =>
    after(search).some((fact) => ![null, termOf(search)].includes(termOf(fact))),
  );
  const conversions = those.filter((search) => after(search).some(met)).length;
  const next = ranked(
    pages,
    (row) => [row.searches],
    (row) => [row.page],
  );
  return {
    searches: those.length,
    visitors: visitorsOf(those, range.zone),
    counted_searches: informative.length,
    zero_result_rate: ratio(informative.filter(({ props }) => props?.results === 0).length, informative.length),
    refinement_rate: ratio(refined.length, those.length),
    exits,
    exit_rate: ratio(exits, those.length),
    next_pages: next.slice(0, 5),
    conversions,
    conversion_rate: ratio(conversions, those.length),
  };
}
