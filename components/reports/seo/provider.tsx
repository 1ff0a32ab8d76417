import { DataTable } from "@/components/reports/parts/data-table";
import { overOf } from "@/components/reports/parts/tile-series";
import { type ChartedTile, TileTrend } from "@/components/reports/parts/tile-trend";
import { startsOf, trendMeta } from "@/components/reports/parts/trend-card";
import { ENGINES, PROVIDERS, type Provider, place, type SeoAnswer } from "@/components/reports/seo/sheets";
import type { Sheet } from "@/components/reports/sheet";
import { Badge, type Tone } from "@/components/ui/badge";
import { formatDate } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { TextLink } from "@/components/ui/text-link";
import { formatExactly, formatPercent } from "@/lib/contract/numbers";

const settingsOf = (siteId: number) => `/sites/${siteId}/settings/search`;

interface Props {
  provider: Provider;
  meta: SeoAnswer["meta"];
  sheets: ReadonlyMap<string, Sheet>;
  mayConnect: boolean;
}

/** The numbers of a provider: totals, a chart, queries, opportunities and pages. */
export function SearchProvider({ provider: known, meta, sheets, mayConnect }: Props) {
  const { provider, state, about, property, fresh_until, totals, comparison, series } = known;
  const { truncated } = meta;
  const [queries, missed, pages] = ["queries", "opportunities", "pages"].map((name) =>
    sheets.get(`${name}-${provider}`),
  );
  const before = meta.compare ? (comparison ?? NONE) : undefined;
  const counts = (label: string, values: (number | null)[]) => overOf(label, { unit: "count", values }, "line");
  const tiles: ChartedTile[] = [
    {
      label: "Clicks",
      kind: "count",
      value: totals.clicks,
      before: before?.clicks,
      over: counts(
        `Clicks in ${ENGINES[provider]}`,
        series.map(({ clicks }) => clicks),
      ),
    },
    {
      label: "Impressions",
      kind: "count",
      value: totals.impressions,
      before: before?.impressions,
      over: counts(
        `Impressions in ${ENGINES[provider]}`,
        series.map(({ impressions }) => impressions),
      ),
    },
    { label: "Click rate", kind: "fraction", value: totals.ctr, before: before?.ctr, over: null },
  ];
  // Bing has no position of a whole site.
  const position: ChartedTile = {
    label: "Position",
    kind: "number",
    value: place(totals.position),
    before: before && place(before.position),
    over: null,
  };
  return (
    <>
      <header className="pt-2">
        <h2 className="text-lg font-semibold">{PROVIDERS[provider]}</h2>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          {property}
          {fresh_until && `. Final numbers until ${formatDate(fresh_until)}, in Pacific time`}
          {provider === "bing" && ". Queries and pages are those of whole weeks"}
          {isFiltered(meta) && ". Filters and traffic do not apply"}.
        </p>
      </header>
      {state !== "connected" && (
        <Notice tone="warn" isPermanent>
          {about} What was fetched before is shown.{" "}
          {mayConnect && state !== "not_configured" && (
            <TextLink href={settingsOf(meta.site_id)}>Open its settings</TextLink>
          )}
        </Notice>
      )}
      <TileTrend
        tiles={provider === "google" ? [...tiles, position] : tiles}
        meta={trendMeta({ ...meta, interval: meta.interval === "hour" ? "day" : meta.interval })}
        buckets={startsOf(series)}
      />
      {queries && (
        <DataTable
          sheet={queries}
          about={unattributedIn(known)}
          truncated={truncated}
          empty="No queries in this range."
        />
      )}
      {missed && missed.rows.length > 0 && (
        <DataTable
          sheet={missed}
          about="Queries at positions 4 to 20 that are clicked less than your other queries at the same position."
        />
      )}
      {pages && <DataTable sheet={pages} truncated={truncated} empty="No pages in this range." />}
    </>
  );
}

const isFiltered = ({ filters, segment, traffic }: SeoAnswer["meta"]): boolean =>
  Object.keys(filters).length > 0 || segment !== null || traffic !== "human";

const NONE = { clicks: null, impressions: null, ctr: null, position: null };

/** Returns what no query has, in a sentence. */
function unattributedIn({ unattributed, totals }: Provider): string | undefined {
  const { clicks, impressions } = unattributed;
  if (!clicks && !impressions) return undefined;
  const share = totals.clicks ? ` (${formatPercent((clicks ?? 0) / totals.clicks)})` : "";
  return `Google keeps rare queries to itself: ${formatExactly(clicks ?? 0)} clicks${share} and ${formatExactly(impressions ?? 0)} impressions belong to no query.`;
}

const STATES: Record<Provider["state"], { text: string; tone: Tone }> = {
  not_configured: { text: "not set up", tone: "plain" },
  not_connected: { text: "not connected", tone: "plain" },
  connected: { text: "connected", tone: "good" },
  broken: { text: "broken", tone: "bad" },
};

interface UnconnectedProps {
  providers: Provider[];
  siteId: number;
  mayConnect: boolean;
}

/** The providers without numbers, and how an owner gets them. */
export function Unconnected({ providers, siteId, mayConnect }: UnconnectedProps) {
  // What the operator has not set up cannot be connected here.
  const offered = providers.filter(({ state }) => state !== "not_configured");
  if (offered.length === 0) return null;
  return (
    <section aria-label="Search consoles" className="card divide-y divide-line">
      {offered.map(({ provider, state, about }) => (
        <div key={provider} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3 text-sm">
          <h2 className="font-semibold">{PROVIDERS[provider]}</h2>
          <Badge tone={STATES[state].tone}>{STATES[state].text}</Badge>
          <p className="w-full text-muted">
            {about}{" "}
            {mayConnect && (
              <TextLink href={settingsOf(siteId)}>{state === "connected" ? "Settings" : "Connect it"}</TextLink>
            )}
          </p>
        </div>
      ))}
    </section>
  );
}
