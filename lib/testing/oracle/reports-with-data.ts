import { COMMERCE } from "@/lib/testing/oracle/actions";
import { isInteraction, isNamed } from "@/lib/testing/oracle/facts";
import { type Known, type Query, type Selection, select } from "@/lib/testing/oracle/query";
import { identityIn } from "@/lib/testing/oracle/retention";
import { termOf } from "@/lib/testing/oracle/searches";

/** Expected answer of which reports have data. */
export function reportsWithData(query: Query, known: Known): object {
  const { scope, before } = select(query, known);
  return { reports: inScope(scope), comparison: before && inScope(before) };
}

function inScope({ facts, range, known }: Selection): string[] {
  if (facts.length === 0) return [];
  const isCommerce = (name: string | null) => name !== null && COMMERCE.includes(name);
  const listed: [string, boolean][] = [
    ["realtime", true],
    ["changes", true],
    ["campaigns", true],
    ["seo", true],
    ["ai", true],
    ["events", facts.some(isInteraction)],
    ["journeys", true],
    ["retention", identityIn(range, known) !== "none"],
    ["heatmap", true],
    ["site_search", facts.some((fact) => termOf(fact) !== null)],
    ["funnels", true],
    ["commerce", facts.some((fact) => fact.revenue !== null || (isNamed(fact) && isCommerce(fact.name)))],
    // Every site of the oracle has a saved one.
    ["experiments", true],
    ["explore", true],
    ["vitals", facts.some(({ type }) => type === "vitals")],
  ];
  return listed.flatMap(([report, has]) => (has ? [report] : []));
}
