import { DataTable } from "@/components/reports/pages/data-table";
import { PROVIDERS, type SeoAnswer } from "@/components/reports/pages/sheets/seo";
import { Tiles } from "@/components/reports/pages/tiles";
import { TrendCard, type TrendSeries } from "@/components/reports/pages/trend-card";
import type { Sheet } from "@/components/reports/sheet";
import { Badge } from "@/components/ui/badge";

interface Props {
  answer: SeoAnswer;
  sheets: Map<string, Sheet>;
}

/** What search engines and AI assistants led here. */
export function SeoReport({ answer, sheets }: Props) {
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
            label: "Converted of search visits",
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
            label: "Converted of assistant visits",
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
          empty="Nobody came from a search engine in these days. Who does is known by the address that their browser tells; nothing needs to be set up."
        />
      )}
      {machines && (
        <DataTable
          sheet={machines}
          truncated={meta.truncated}
          empty="Nobody came from ChatGPT, Perplexity, Claude and the like in these days."
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

/** What people searched for, from a provider that is connected. */
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

/** The search engines with the most visits, and AI assistants together. */
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
