import { DataTable } from "@/components/reports/parts/data-table";
import { Tiles } from "@/components/reports/parts/tiles";
import { TrendCard, type TrendSeries } from "@/components/reports/parts/trend-card";
import { SearchProvider, Unconnected } from "@/components/reports/seo/provider";
import { hasNumbers, type SeoAnswer } from "@/components/reports/seo/sheets";
import type { ReportProps } from "@/components/reports/sheet";

interface Props extends ReportProps<SeoAnswer> {
  /** Whether the reader can connect the site. */
  mayConnect: boolean;
}

/** Report: what search engines know of the site, and visits from them and from AI assistants. */
export function SeoReport({ answer, sheets, mayConnect }: Props) {
  const { organic, assistants, providers, comparison, meta } = answer;
  const [engines, machines] = [sheets.get("organic"), sheets.get("assistants")];
  return (
    <>
      <Tiles
        tiles={[
          {
            label: "Visits from search engines",
            kind: "count",
            value: organic.visits,
            before: comparison?.organic.visits,
          },
          {
            label: "Search conversion rate",
            kind: "fraction",
            value: organic.conversion_rate,
            before: comparison?.organic.conversion_rate,
          },
          {
            label: "Visits from AI assistants",
            kind: "count",
            value: assistants.visits,
            before: comparison?.assistants.visits,
          },
          {
            label: "Assistant conversion rate",
            kind: "fraction",
            value: assistants.conversion_rate,
            before: comparison?.assistants.conversion_rate,
          },
        ]}
      />
      {organic.visits + assistants.visits > 0 && (
        <TrendCard
          title="Visits from search"
          kind="line"
          meta={meta}
          buckets={answer.series}
          series={enginesOf(answer)}
        />
      )}
      {providers.filter(hasNumbers).map((one) => (
        <SearchProvider key={one.provider} provider={one} meta={meta} sheets={sheets} mayConnect={mayConnect} />
      ))}
      {engines && (
        <DataTable
          sheet={engines}
          truncated={meta.truncated}
          empty="No visits from search engines in this range. They are recognised by the referrer; no setup is needed."
        />
      )}
      {machines && (
        <DataTable
          sheet={machines}
          truncated={meta.truncated}
          empty="No visits from ChatGPT, Perplexity, Claude or other AI assistants in this range."
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

type Bucket = SeoAnswer["series"][number];

/** Returns a series per search engine with the most visits, and one for all AI assistants. */
function enginesOf({ series }: SeoAnswer): TrendSeries<Bucket>[] {
  const engines = series[0]?.engines ?? [];
  return [
    ...engines.map(({ source }, index) => ({
      key: `engine-${index}`,
      label: source ?? "Unknown engine",
      unit: "count" as const,
      read: (bucket: Bucket) => bucket.engines[index]?.visits ?? 0,
    })),
    {
      key: "assistants",
      label: "AI assistants",
      unit: "count",
      read: ({ assistants }) => assistants,
    },
  ];
}
