import { DataTable } from "@/components/reports/parts/data-table";
import { EmptyReport } from "@/components/reports/parts/empty-report";
import { LazyTileTrend } from "@/components/reports/parts/lazy-parts";
import type { ChartedTile } from "@/components/reports/parts/tile-trend";
import { type Tile, Tiles } from "@/components/reports/parts/tiles";
import { startsOf, trendMeta } from "@/components/reports/parts/trend-card";
import type { ReportProps } from "@/components/reports/sheet";
import { nextOfTerm, type SearchAnswer, type Term } from "@/components/reports/site_search/sheets";
import { ViewLink } from "@/components/reports/view-frame";
import { rich } from "@/components/ui/rich";
import { msg, t } from "@/lib/texts/translate";

interface Props extends ReportProps<SearchAnswer> {
  /** The term whose details are shown, from the URL. */
  term: string | null;
}

/** Report: the site's search terms and their results. */
export function SearchReport({ answer, sheets, term }: Props) {
  const { total, meta } = answer;
  if (total.searches === 0) {
    return (
      <EmptyReport
        title={t("No searches in this range")}
        code={'footfall("Search", { props: { term: "coffee grinder", results: 12 } });'}
        docs={{ href: "/docs/tracker", label: t("How to send searches") }}
      >
        {t(
          "script.full.js detects search result pages automatically. Or send a Search event with the number of results to see which searches have none.",
        )}
      </EmptyReport>
    );
  }
  const chosen = answer.terms.find((one) => one.term === term);
  const [terms, next] = [sheets.get("terms"), sheets.get("next")];
  return (
    <>
      <LazyTileTrend tiles={tilesOf(answer)} meta={trendMeta(meta)} buckets={startsOf(answer.series)} />
      {chosen && <TermDetail term={chosen} answer={answer} />}
      {terms && <DataTable sheet={terms} truncated={meta.truncated} />}
      {next && (
        <DataTable
          sheet={next}
          about={t("The pages that visitors open after a search.")}
          empty={t("No page was opened after a search.")}
        />
      )}
    </>
  );
}

/** What searches for one term led to. */
function TermDetail({ term, answer }: { term: Term; answer: SearchAnswer }) {
  const before = answer.comparison?.terms[answer.terms.indexOf(term)] ?? null;
  const isCompared = answer.comparison !== null;
  const tile = (label: string, kind: Tile["kind"], of: (one: Term) => Tile["value"]): Tile => ({
    label,
    kind,
    value: of(term),
    before: isCompared ? before && of(before) : undefined,
  });
  return (
    <section aria-label={term.term} className="space-y-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="min-w-0 text-lg font-semibold break-words">
          {rich("Searches for “{term}”", { term: <bdi>{term.term}</bdi> })}
        </h2>
        <ViewLink patch={{ term: null }} className="text-sm text-accent underline">
          {t("Close")}
        </ViewLink>
      </div>
      <Tiles
        tiles={[
          tile(msg("Searches"), "count", ({ searches }) => searches),
          tile(msg("Visitors"), "count", ({ visitors }) => visitors),
          tile(msg("No results"), "fraction", (one) => one.zero_result_rate),
          tile(msg("Refined"), "fraction", (one) => one.refinement_rate),
          tile(msg("Exits"), "fraction", (one) => one.exit_rate),
          tile(msg("Conversion rate"), "fraction", (one) => one.conversion_rate),
        ]}
      />
      <DataTable isPart sheet={nextOfTerm(term, answer)} empty={t("No page was opened after these searches.")} />
    </section>
  );
}

function tilesOf({ total, comparison, series, ...answer }: SearchAnswer): ChartedTile[] {
  const tile = (
    label: string,
    key: keyof typeof total & keyof (typeof series)[number],
    about?: string,
  ): ChartedTile => {
    const kind = key === "searches" || key === "terms" ? "count" : "fraction";
    return {
      label,
      kind,
      about,
      value: total[key],
      before: comparison?.total[key],
      over: { kind: "bars", unit: kind, values: series.map((bucket) => bucket[key]) },
    };
  };
  return [
    tile(msg("Searches"), "searches"),
    tile(msg("Terms"), "terms"),
    tile(
      msg("No results"),
      "zero_result_rate",
      msg("Share of searches without results, of the searches with a known number of results"),
    ),
    tile(msg("Refined"), "refinement_rate"),
    tile(msg("Exits"), "exit_rate"),
    tile(msg("Conversion rate"), "conversion_rate", countsOf(answer)),
  ];
}

/** What counts as a conversion. */
function countsOf({ conversion_basis, goal }: Pick<SearchAnswer, "conversion_basis" | "goal">): string {
  if (conversion_basis === "goal") return t("Only the goal “{goal}” counts", { goal: goal ?? "" });
  return conversion_basis === "goals" ? t("Any goal of the site counts") : t("Any event except a search counts");
}
