import { conversionRate, converts, mostOf, ranked } from "@/lib/testing/oracle/acquisition";
import { dateAt } from "@/lib/testing/oracle/clock";
import { wordOfVisit } from "@/lib/testing/oracle/dimensions";
import { isBounce, type Visit } from "@/lib/testing/oracle/facts";
import { ratio } from "@/lib/testing/oracle/metrics";
import { type Asked, type Known, type Selection, select } from "@/lib/testing/oracle/query";
import { seriesOf } from "@/lib/testing/oracle/series";

/** What search should say: the visits of its channels, by where they came from and began. */

export type AskedSearch = Asked & { provider?: "all" | "google" | "bing" };
const ENGINES = { google: "Google", bing: "Bing" };

export function seo(asked: AskedSearch, known: Known): object {
  const { scope, before } = select(asked, known);
  const engine = asked.provider === undefined || asked.provider === "all" ? null : ENGINES[asked.provider];
  const organic = (of: Selection) =>
    led(of, "Organic Search").filter((visit) => engine === null || wordOfVisit(visit, "source") === engine);
  const assistants = (of: Selection) => led(of, "AI assistants");
  return {
    organic: groupOf(organic(scope), scope),
    assistants: groupOf(assistants(scope), scope),
    comparison: before && {
      organic: numbersOf(organic(before), before),
      assistants: numbersOf(assistants(before), before),
    },
    series: seriesOf(scope, (part) => ({
      organic: organic(part).length,
      engines: mostOf(organic(scope), "source").map((source) => ({
        source,
        visits: organic(part).filter((visit) => (wordOfVisit(visit, "source") || null) === source).length,
      })),
      assistants: assistants(part).length,
    })),
  };
}

const led = ({ visits }: Selection, channel: string) =>
  visits.filter((visit) => wordOfVisit(visit, "channel") === channel);

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
    wordOfVisit(visit, "source") || null,
    wordOfVisit(visit, "entry_page") || null,
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
