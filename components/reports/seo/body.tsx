import type { Series } from "@/components/charts/series";
import { goalSentence } from "@/components/reports/goal-sentence";
import { DataTable } from "@/components/reports/parts/data-table";
import { LazyTileTrend } from "@/components/reports/parts/lazy-parts";
import { rateOver } from "@/components/reports/parts/rate-over";
import type { ChartedTile } from "@/components/reports/parts/tile-trend";
import { startsOf, trendMeta } from "@/components/reports/parts/trend-card";
import { SearchProvider, Unconnected } from "@/components/reports/seo/provider";
import { hasNumbers, type SeoAnswer } from "@/components/reports/seo/sheets";
import type { ReportProps } from "@/components/reports/sheet";
import { msg, t } from "@/lib/texts/translate";

interface Props extends ReportProps<SeoAnswer> {
  /** Whether the reader can connect the site. */
  mayConnect: boolean;
}

/** Report: what search engines know of the site, and visits from them and from AI assistants. */
export function SeoReport({ answer, sheets, mayConnect }: Props) {
  const { providers, meta } = answer;
  const [engines, machines] = [sheets.get("organic"), sheets.get("assistants")];
  return (
    <>
      <LazyTileTrend tiles={tilesOf(answer)} meta={trendMeta(meta)} buckets={startsOf(answer.series)} />
      {providers.filter(hasNumbers).map((one) => (
        <SearchProvider key={one.provider} provider={one} meta={meta} sheets={sheets} mayConnect={mayConnect} />
      ))}
      {engines && (
        <DataTable
          sheet={engines}
          truncated={meta.truncated}
          empty={t(
            "No visits from search engines in this range. They are recognised by the referrer; no setup is needed.",
          )}
        />
      )}
      {machines && (
        <DataTable
          sheet={machines}
          truncated={meta.truncated}
          empty={t("No visits from ChatGPT, Perplexity, Claude or other AI assistants in this range.")}
        />
      )}
      <Unconnected
        providers={providers.filter((one) => !hasNumbers(one))}
        siteId={meta.site_id}
        mayConnect={mayConnect}
      />
    </>
  );
}

function tilesOf(answer: SeoAnswer): ChartedTile[] {
  const { organic, assistants, comparison, series } = answer;
  return [
    {
      label: msg("Visits from search engines"),
      kind: "count",
      value: organic.visits,
      before: comparison?.organic.visits,
      over: {
        kind: "line",
        title: t("{label} over time", { label: t("Visits from search engines") }),
        series: enginesOf(answer),
      },
    },
    {
      label: msg("Search conversion rate"),
      kind: "fraction",
      value: organic.conversion_rate,
      before: comparison?.organic.conversion_rate,
      about: goalSentence(answer.goal),
      over: rateOver(
        series.map((bucket) => bucket.organic_conversions),
        series.map((bucket) => bucket.organic),
      ),
    },
    {
      label: msg("Visits from AI assistants"),
      kind: "count",
      value: assistants.visits,
      before: comparison?.assistants.visits,
      over: { unit: "count", values: series.map((bucket) => bucket.assistants) },
    },
    {
      label: msg("Assistant conversion rate"),
      kind: "fraction",
      value: assistants.conversion_rate,
      before: comparison?.assistants.conversion_rate,
      about: goalSentence(answer.goal),
      over: rateOver(
        series.map((bucket) => bucket.assistants_conversions),
        series.map((bucket) => bucket.assistants),
      ),
    },
  ];
}

/** Returns a series per search engine with the most visits, and one for the others. */
function enginesOf({ series }: SeoAnswer): Series[] {
  const engines = series[0]?.engines ?? [];
  const others = series.map(({ organic, engines: some }) => organic - some.reduce((sum, one) => sum + one.visits, 0));
  return [
    ...engines.map(({ source }, index) => ({
      key: `engine-${index}`,
      label: source ?? t("Unknown engine"),
      unit: "count" as const,
      values: series.map((bucket) => bucket.engines[index]?.visits ?? 0),
    })),
    ...(others.some((visits) => visits > 0)
      ? [{ key: "others", label: t("Other engines"), unit: "count" as const, values: others }]
      : []),
  ];
}
