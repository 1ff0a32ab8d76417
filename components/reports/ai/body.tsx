import type { Series } from "@/components/charts/series";
import type { AiAnswer } from "@/components/reports/ai/sheets";
import { purposeName } from "@/components/reports/ai/sheets";
import { goalSentence } from "@/components/reports/goal-sentence";
import { DataTable } from "@/components/reports/parts/data-table";
import { EmptyReport } from "@/components/reports/parts/empty-report";
import { LazyTileTrend } from "@/components/reports/parts/lazy-parts";
import { rateOver } from "@/components/reports/parts/rate-over";
import type { ChartedTile } from "@/components/reports/parts/tile-trend";
import { startsOf, TrendCard, type TrendSeries, trendMeta } from "@/components/reports/parts/trend-card";
import { Unconverted } from "@/components/reports/parts/unconverted";
import type { ReportProps } from "@/components/reports/sheet";
import { formatMoney } from "@/lib/contract/numbers";
import { msg, t } from "@/lib/texts/translate";

interface Props extends ReportProps<AiAnswer> {
  domain: string;
  /** Base URL of this service. */
  service: string;
}

const MOST_LINES = 5;

/** Report: what AI agents and search engines read, and whom assistants sent. */
export function AiReport({ answer, sheets, domain, service }: Props) {
  const { totals, unread, unconverted, meta, errors, pages } = answer;
  const requests = [totals.ai, totals.search_engines].reduce((sum, one) => sum + one.reads + one.errors, 0);
  const tables = {
    agents: sheets.get("agents"),
    unread: sheets.get("unread"),
    pages: sheets.get("pages"),
    errors: sheets.get("errors"),
    referred: sheets.get("referred"),
  };
  const sent = tables.referred && (
    <DataTable
      sheet={tables.referred}
      about={t("People who followed a link of ChatGPT, Perplexity or another AI assistant. They are human traffic.")}
      empty={t("No visits from AI assistants in this range. They are recognised by the referrer; no setup is needed.")}
      truncated={meta.truncated}
    />
  );
  if (unread === null) {
    return (
      <>
        <NothingKnown domain={domain} service={service} />
        <Unconverted amounts={unconverted.map(formatMoney)} />
        {sent}
      </>
    );
  }
  const knowsStatus = errors.length > 0 || pages.some(({ statuses }) => statuses !== null);
  return (
    <>
      <LazyTileTrend tiles={tilesOf(answer)} meta={trendMeta(meta)} buckets={startsOf(answer.series)} />
      {requests > 0 && (
        <TrendCard
          title={t("Reads by agent")}
          kind="line"
          meta={meta}
          buckets={readsOf(answer)}
          series={agentsOf(answer)}
        />
      )}
      {tables.agents && (
        <DataTable
          sheet={tables.agents}
          about={t("AI agents, and the crawlers of search engines whose results assistants use.")}
          empty={t("No agent matches these filters in this range.")}
          truncated={meta.truncated}
        />
      )}
      {tables.unread && (
        <DataTable
          sheet={tables.unread}
          about={t(
            "Pages that people saw and none of these agents has read in this range: assistants may not know them. Link to them, or list them in your sitemap.",
          )}
          empty={t("These agents have read every page that people saw.")}
          truncated={meta.truncated}
        />
      )}
      {tables.pages && (
        <DataTable
          sheet={tables.pages}
          empty={t("These agents have read no page in this range.")}
          truncated={meta.truncated}
        />
      )}
      {tables.errors && (
        <DataTable
          sheet={tables.errors}
          about={t("What agents asked for and did not get. Redirect pages that have moved, and mend what fails.")}
          empty={
            knowsStatus
              ? t("No agent got an error in this range.")
              : t(
                  "No HTTP status is known in this range. Access logs have it, and servers can send it as context.page.status.",
                )
          }
          truncated={meta.truncated}
        />
      )}
      <Unconverted amounts={unconverted.map(formatMoney)} />
      {sent}
    </>
  );
}

/** How requests of agents get here, because most of them run no script. */
const NothingKnown = ({ domain, service }: Pick<Props, "domain" | "service">) => (
  <EmptyReport
    title={t("No AI agent is known in this range")}
    code={`npm run import-log -- /var/log/nginx/access.log --site ${domain} --key-file ingest-key --state import-state --to ${service}`}
    docs={{ href: "/docs/measurement-protocol#logs", label: t("How to import logs or send page views") }}
  >
    {t(
      "GPTBot, ClaudeBot, Googlebot and most others read pages without running scripts, so the snippet on your pages never sees them. Your web server does. Import its access log every few minutes with this command and an ingest key of the site, or let your server, proxy or edge function send the page views of crawlers.",
    )}
  </EmptyReport>
);

function tilesOf(answer: AiAnswer): ChartedTile[] {
  const { totals, referred, comparison, series, goal } = answer;
  const { ai, search_engines } = totals;
  const before = comparison?.totals;
  return [
    {
      label: msg("Pages read by AI agents"),
      kind: "count",
      value: ai.reads,
      before: before?.ai.reads,
      about: msg("Page views of AI agents that no error answered"),
      over: { kind: "stacked", title: t("Reads by purpose"), series: purposesOf(answer) },
    },
    {
      label: msg("AI agents"),
      kind: "count",
      value: ai.agents,
      before: before?.ai.agents,
      over: { unit: "count", values: series.map((bucket) => bucket.agents) },
    },
    {
      label: msg("Errors for AI agents"),
      kind: "count",
      value: ai.errors,
      before: before?.ai.errors,
      about: msg("Page views of AI agents that were answered with a status of 400 or more"),
      over: { unit: "count", values: series.map((bucket) => bucket.errors) },
    },
    {
      label: msg("Read by search engines"),
      kind: "count",
      value: search_engines.reads,
      before: before?.search_engines.reads,
      over: { unit: "count", values: series.map((bucket) => bucket.search_engines) },
    },
    {
      label: msg("Visits from assistants"),
      kind: "count",
      value: referred.visits,
      before: comparison?.referred.visits,
      over: { unit: "count", values: series.map((bucket) => bucket.referred) },
    },
    {
      label: msg("Their conversion rate"),
      kind: "fraction",
      value: referred.conversion_rate,
      before: comparison?.referred.conversion_rate,
      about: goalSentence(goal) ?? msg("Share of visits from assistants with a conversion"),
      over: rateOver(
        series.map((bucket) => bucket.referred_conversions),
        series.map((bucket) => bucket.referred),
      ),
    },
  ];
}

/** Returns a series per purpose of AI agents. */
const purposesOf = ({ purposes, series }: AiAnswer): Series[] =>
  purposes.map(({ purpose }, index) => ({
    key: `purpose-${index}`,
    label: purposeName(purpose),
    unit: "count",
    values: series.map((bucket) => bucket.purposes[index]?.reads ?? 0),
  }));

/** The buckets with the reads of each agent. */
const readsOf = ({ series, agents }: AiAnswer) =>
  series.map(({ start, label, partial }, bucket) => ({
    start,
    label,
    partial,
    reads: agents.slice(0, MOST_LINES).map(({ trend }) => trend[bucket] ?? 0),
  }));

/** Returns a series per agent with the most reads. */
const agentsOf = ({ agents }: AiAnswer): TrendSeries<ReturnType<typeof readsOf>[number]>[] =>
  agents.slice(0, MOST_LINES).map(({ agent }, index) => ({
    key: `agent-${index}`,
    label: agent ?? t("Unknown"),
    unit: "count",
    read: ({ reads }) => reads[index] ?? 0,
  }));
