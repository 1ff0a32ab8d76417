import {
  basisOf,
  conversionRate,
  converts,
  ranked,
  selectWithGoal,
  topValues,
  type WithGoal,
} from "@/lib/testing/oracle/acquisition";
import { valueOfVisit } from "@/lib/testing/oracle/dimensions";
import { isBounce, isPresence, type Visit } from "@/lib/testing/oracle/facts";
import { ratio, visitorsOf } from "@/lib/testing/oracle/metrics";
import type { Known, Selection } from "@/lib/testing/oracle/query";
import { seriesOf } from "@/lib/testing/oracle/series";

/** Expected answer of SEO: the visits of the search channels, by source and landing page. */

export type SeoQuery = WithGoal & { provider?: "all" | "google" | "bing" };
const ENGINES = { google: "Google", bing: "Bing" };

export function seo(query: SeoQuery, known: Known): object {
  const { scope, before } = selectWithGoal(query, known);
  const engine = query.provider === undefined || query.provider === "all" ? null : ENGINES[query.provider];
  const isOrganic = (visit: Visit) =>
    valueOfVisit(visit, "channel") === "Organic Search" &&
    (engine === null || valueOfVisit(visit, "source") === engine);
  const isAssisted = (visit: Visit) => valueOfVisit(visit, "channel") === "AI assistants";
  const organic = ({ visits }: Selection) => visits.filter(isOrganic);
  const assistants = ({ visits }: Selection) => visits.filter(isAssisted);
  return {
    conversion_basis: basisOf(known, query.goal),
    goal: query.goal ?? null,
    organic: groupOf(isOrganic, scope),
    assistants: groupOf(isAssisted, scope),
    comparison: before && {
      organic: numbersOf(isOrganic, before),
      assistants: numbersOf(isAssisted, before),
    },
    series: seriesOf(scope, (part) => ({
      organic: organic(part).length,
      organic_conversions: numbersOf(isOrganic, part).conversions,
      engines: topValues(organic(scope), "source").map((source) => ({
        source,
        visits: organic(part).filter((visit) => (valueOfVisit(visit, "source") || null) === source).length,
      })),
      assistants: assistants(part).length,
      assistants_conversions: numbersOf(isAssisted, part).conversions,
    })),
  };
}

function numbersOf(isCounted: (visit: Visit) => boolean, scope: Selection) {
  const { range, known } = scope;
  const visits = scope.visits.filter(isCounted);
  const conversions = visits.filter(({ facts }) => facts.some((fact) => converts(fact, known))).length;
  const present = scope.facts.filter((fact) => isPresence(fact) && isCounted(fact.visit));
  return {
    visitors: visitorsOf(present, range.zone),
    visits: visits.length,
    bounce_rate: ratio(visits.filter(isBounce).length, visits.length),
    conversions,
    conversion_rate: conversionRate(conversions, visits.length),
  };
}

function groupOf(isCounted: (visit: Visit) => boolean, scope: Selection): object {
  const wordsOf = (visit: Visit): [string | null, string | null] => [
    valueOfVisit(visit, "source") || null,
    valueOfVisit(visit, "entry_page") || null,
  ];
  const present = scope.facts.filter(isPresence).map(({ visit }) => visit);
  const counted = [...scope.visits, ...present].filter(isCounted);
  const keys = new Set(counted.map((visit) => JSON.stringify(wordsOf(visit))));
  const rows = [...keys].map((key) => {
    const [source, page] = JSON.parse(key) as ReturnType<typeof wordsOf>;
    const isOfRow = (visit: Visit) => isCounted(visit) && JSON.stringify(wordsOf(visit)) === key;
    return { source, page, ...numbersOf(isOfRow, scope) };
  });
  const sorted = ranked(
    rows,
    (row) => [row.visits],
    ({ source, page }) => [source, page],
  );
  return { ...numbersOf(isCounted, scope), landing_pages: sorted.slice(0, 100) };
}
