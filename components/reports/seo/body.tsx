import { DataTable } from "@/components/reports/parts/data-table";
import { Tiles } from "@/components/reports/parts/tiles";
import { TrendCard, type TrendSeries } from "@/components/reports/parts/trend-card";
import { PROVIDERS, type SeoAnswer } from "@/components/reports/seo/sheets";
import type { ReportProps, Sheet } from "@/components/reports/sheet";
import { Badge } from "@/components/ui/badge";

/** Report: visits from search engines and AI assistants. */
export function SeoReport({ answer, sheets }: ReportProps<SeoAnswer>) {
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
      {providers.map((one) => (
        <Provider key={one.provider} {...one} queries={sheets.get(`queries-${one.provider}`)} />
      ))}
    </>
  );
}

interface ProviderProps extends Pick<SeoAnswer["providers"][number], "provider" | "connected" | "about"> {
  queries: Sheet | undefined;
}

/** Search queries of a connected provider. */
function Provider({ provider, connected, about, queries }: ProviderProps) {
  if (connected && queries) return <DataTable sheet={queries} />;
  return (
    <section
      aria-label={PROVIDERS[provider]}
      className="card flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3 text-sm"
    >
      <h2 className="font-semibold">{PROVIDERS[provider]}</h2>
      <Badge>not connected</Badge>
      <p className="text-muted">{about}</p>
    </section>
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
