import { DataTable } from "@/components/reports/parts/data-table";
import { LazyTileTrend } from "@/components/reports/parts/lazy-parts";
import { rateOver } from "@/components/reports/parts/rate-over";
import type { ChartedTile } from "@/components/reports/parts/tile-trend";
import { startsOf, trendMeta } from "@/components/reports/parts/trend-card";
import { type Provider, place, type SeoAnswer } from "@/components/reports/seo/sheets";
import type { Sheet } from "@/components/reports/sheet";
import { Badge, type Tone } from "@/components/ui/badge";
import { formatDate } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { TextLink } from "@/components/ui/text-link";
import { connectionInWords } from "@/lib/contract/connection-words";
import { formatExactly, formatPercent } from "@/lib/contract/numbers";
import { SEARCH_PROVIDERS } from "@/lib/search/providers";
import { msg, t } from "@/lib/texts/translate";

const settingsOf = (siteId: number) => `/sites/${siteId}/settings/search`;

interface Props {
  provider: Provider;
  meta: SeoAnswer["meta"];
  sheets: ReadonlyMap<string, Sheet>;
  mayConnect: boolean;
}

/** The numbers of a provider: totals, a chart, queries, opportunities and pages. */
export function SearchProvider({ provider: known, meta, sheets, mayConnect }: Props) {
  const { provider, state, property, fresh_until, totals, comparison, series } = known;
  const { truncated } = meta;
  const [queries, missed, pages] = ["queries", "opportunities", "pages"].map((name) =>
    sheets.get(`${name}-${provider}`),
  );
  const before = meta.compare ? (comparison ?? NONE) : undefined;
  const tiles: ChartedTile[] = [
    {
      label: msg("Clicks"),
      kind: "count",
      value: totals.clicks,
      before: before?.clicks,
      over: {
        name: t("Clicks in {engine, select, google {Google} other {Bing}}", { engine: provider }),
        kind: "line",
        unit: "count",
        values: series.map(({ clicks }) => clicks),
      },
    },
    {
      label: msg("Impressions"),
      kind: "count",
      value: totals.impressions,
      before: before?.impressions,
      over: {
        name: t("Impressions in {engine, select, google {Google} other {Bing}}", { engine: provider }),
        kind: "line",
        unit: "count",
        values: series.map(({ impressions }) => impressions),
      },
    },
    {
      label: msg("Click rate"),
      kind: "fraction",
      value: totals.ctr,
      before: before?.ctr,
      over: rateOver(
        series.map(({ clicks }) => clicks ?? 0),
        series.map(({ impressions }) => impressions ?? 0),
      ),
    },
  ];
  // Bing has no position of a whole site.
  const position: ChartedTile = {
    label: msg("Position"),
    kind: "number",
    value: place(totals.position),
    before: before && place(before.position),
    over: { kind: "line", unit: "ratio", values: series.map((bucket) => place(bucket.position)) },
  };
  return (
    <>
      <header className="pt-2">
        <h2 className="text-lg font-semibold">{SEARCH_PROVIDERS[provider].name}</h2>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          {property}
          {fresh_until && `. ${t("Final numbers until {date}, in Pacific time", { date: formatDate(fresh_until) })}`}
          {provider === "bing" && `. ${t("Queries and pages are those of whole weeks")}`}
          {isFiltered(meta) && `. ${t("Filters and traffic do not apply")}`}.
        </p>
      </header>
      {state !== "connected" && (
        <Notice tone="warn" isPermanent>
          {connectionInWords(known.about)} {t("What was fetched before is shown.")}{" "}
          {mayConnect && state !== "not_configured" && (
            <TextLink href={settingsOf(meta.site_id)}>{t("Open its settings")}</TextLink>
          )}
        </Notice>
      )}
      <LazyTileTrend
        tiles={provider === "google" ? [...tiles, position] : tiles}
        meta={trendMeta({ ...meta, interval: meta.interval === "hour" ? "day" : meta.interval })}
        buckets={startsOf(series)}
      />
      {queries && (
        <DataTable
          sheet={queries}
          about={unattributedIn(known)}
          truncated={truncated}
          empty={t("No queries in this range.")}
        />
      )}
      {missed && missed.rows.length > 0 && (
        <DataTable
          sheet={missed}
          about={t("Queries at positions 4 to 20 that are clicked less than your other queries at the same position.")}
        />
      )}
      {pages && <DataTable sheet={pages} truncated={truncated} empty={t("No pages in this range.")} />}
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
  const known = { clicks: formatExactly(clicks ?? 0), impressions: formatExactly(impressions ?? 0) };
  return totals.clicks
    ? t(
        "Google keeps rare queries to itself: {clicks} clicks ({share}) and {impressions} impressions belong to no query.",
        { ...known, share: formatPercent((clicks ?? 0) / totals.clicks) },
      )
    : t(
        "Google keeps rare queries to itself: {clicks} clicks and {impressions} impressions belong to no query.",
        known,
      );
}

const STATES: Record<Provider["state"], { text: string; tone: Tone }> = {
  not_configured: { text: msg("not set up"), tone: "plain" },
  not_connected: { text: msg("not connected"), tone: "plain" },
  connected: { text: msg("connected"), tone: "good" },
  broken: { text: msg("broken"), tone: "bad" },
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
    <section aria-label={t("Search consoles")} className="card divide-y divide-line">
      {offered.map((one) => (
        <div key={one.provider} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3 text-sm">
          <h2 className="font-semibold">{SEARCH_PROVIDERS[one.provider].name}</h2>
          <Badge tone={STATES[one.state].tone}>{t(STATES[one.state].text)}</Badge>
          <p className="w-full text-muted">
            {connectionInWords(one.about)}{" "}
            {mayConnect && (
              <TextLink href={settingsOf(siteId)}>
                {one.state === "connected" ? t("Settings") : t("Connect it")}
              </TextLink>
            )}
          </p>
        </div>
      ))}
    </section>
  );
}
