import { conversionRate, converts, ranked, topValues } from "@/lib/testing/oracle/acquisition";
import { dateAt } from "@/lib/testing/oracle/clock";
import { valueOfVisit } from "@/lib/testing/oracle/dimensions";
import { isBounce, type Visit } from "@/lib/testing/oracle/facts";
import { ratio } from "@/lib/testing/oracle/metrics";
import { type Known, type Query, type Selection, select } from "@/lib/testing/oracle/query";
import { seriesOf } from "@/lib/testing/oracle/series";

/** Expected answer of SEO: the visits of the search channels, by source and landing page. */

export type SeoQuery = Query & { provider?: "all" | "google" | "bing" };
const ENGINES = { google: "Google", bing: "Bing" };

export function seo(query: SeoQuery, known: Known): object {
  const { scope, before } = select(query, known);
  const engine = query.provider === undefined || query.provider === "all" ? null : ENGINES[query.provider];
  const organic = (of: Selection) =>
    inChannel(of, "Organic Search").filter((visit) => engine === null || valueOfVisit(visit, "source") === engine);
  const assistants = (of: Selection) => inChannel(of, "AI assistants");
  return {
    organic: groupOf(organic(scope), scope),
    assistants: groupOf(assistants(scope), scope),
    comparison: before && {
      organic: numbersOf(organic(before), before),
      assistants: numbersOf(assistants(before), before),
    },
    series: seriesOf(scope, (part) => ({
      organic: organic(part).length,
      engines: topValues(organic(scope), "source").map((source) => ({
        source,
        visits: organic(part).filter((visit) => (valueOfVisit(visit, "source") || null) === source).length,
      })),
      assistants: assistants(part).length,
    })),
  };
}

const inChannel = ({ visits }: Selection, channel: string) =>
  visits.filter((visit) => valueOfVisit(visit, "channel") === channel);

function numbersOf(visits: readonly Visit[], { range, known }: Selection) {
  const conversions = visits.filter(({ facts }) => facts.some((fact) => converts(fact, known))).length;
  return {
    visitors: new Set(visits.map(({ visitor, started }) => `${visitor} @ ${dateAt(started, range.zone)}`)).size,
    visits: visits.length,
    bounce_rate: ratio(visits.filter(isBounce).length, visits.length),
    conversions,
    conversion_rate: conversionRate(conversions, visits.length),
  };
}

function groupOf(visits: readonly Visit[], scope: Selection): object {
  const wordsOf = (visit: Visit): [string | null, string | null] => [
    valueOfVisit(visit, "source") || null,
    valueOfVisit(visit, "entry_page") || null,
  ];
  const keys = new Set(visits.map((visit) => JSON.stringify(wordsOf(visit))));
  const rows = [...keys].map((key) => {
    const [source, page] = JSON.parse(key) as ReturnType<typeof wordsOf>;
    const those = visits.filter((visit) => JSON.stringify(wordsOf(visit)) === key);
    return { source, page, ...numbersOf(those, scope) };
  });
  const sorted = ranked(
    rows,
    (row) => [row.visits],
    ({ source, page }) => [source, page],
  );
  return { ...numbersOf(visits, scope), landing_pages: sorted.slice(0, 100) };
}
