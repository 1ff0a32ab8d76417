import type { EventsAnswer } from "@/components/reports/events/sheets";
import { DataTable } from "@/components/reports/parts/data-table";
import { EmptyReport } from "@/components/reports/parts/empty-report";
import { LazyTileTrend } from "@/components/reports/parts/lazy-parts";
import { rateOver } from "@/components/reports/parts/rate-over";
import { TableTwin } from "@/components/reports/parts/table-twin";
import type { ChartedTile } from "@/components/reports/parts/tile-trend";
import { startsOf, TrendCard, trendMeta } from "@/components/reports/parts/trend-card";
import { Unconverted } from "@/components/reports/parts/unconverted";
import type { ReportProps, Sheet } from "@/components/reports/sheet";
import { ViewLink } from "@/components/reports/view-frame";
import { formatMoney } from "@/lib/contract/numbers";
import { msg, t } from "@/lib/texts/translate";

type Bucket = EventsAnswer["series"][number];

/** Maximum lines in the chart that are still distinguishable. */
const MOST_GOALS = 6;

/** Report: all events and goals, and the details of a selected event. */
export function EventsReport({ answer, sheets }: ReportProps<EventsAnswer>) {
  const { events, goals, event, unconverted, meta, series } = answer;
  if (events.length + goals.length === 0 && !event) {
    return (
      <EmptyReport
        title={t("No events in this range")}
        code={'footfall("Signup", { props: { plan: "pro" } });'}
        docs={{ href: "/docs/tracker", label: t("How to send events") }}
      >
        {t(
          "An event is any action other than a pageview: a sign-up, a download, an order. Your pages send it with one call.",
        )}
      </EmptyReport>
    );
  }
  const list = sheets.get("events");
  const reached = sheets.get("goals");
  return (
    <>
      <Unconverted amounts={unconverted.map(formatMoney)} />
      {event && <EventDetail event={event} all={series} meta={meta} sheets={sheets} />}
      {list && (
        <DataTable
          sheet={list}
          truncated={meta.truncated}
          about={t("Select an event to see its trend and properties.")}
        />
      )}
      {reached && reached.rows.length > 0 && (
        <>
          <TrendCard
            title={t("Goals reached")}
            kind="line"
            meta={meta}
            buckets={series}
            series={goals.slice(0, MOST_GOALS).map(({ goal }, index) => ({
              key: `goal-${index}`,
              label: goal,
              unit: "count",
              read: (bucket: Bucket) => bucket.goals[index]?.count ?? 0,
            }))}
          />
          <DataTable sheet={reached} />
        </>
      )}
    </>
  );
}

type Detail = NonNullable<EventsAnswer["event"]>;

interface DetailProps {
  event: Detail;
  /** The buckets with all visitors. */
  all: readonly Bucket[];
  meta: EventsAnswer["meta"];
  sheets: Map<string, Sheet>;
}

function EventDetail({ event, all, meta, sheets }: DetailProps) {
  const related = [...sheets.values()].filter(({ key }) => key === "pages" || key === "sources");
  const properties = [...sheets.values()].filter(({ key }) => key.startsWith("property-"));
  return (
    <section aria-label={event.event} className="space-y-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="min-w-0 text-lg font-semibold break-words">{event.event}</h2>
        <ViewLink patch={{ event: null }} className="text-sm text-accent underline">
          {t("Show all events")}
        </ViewLink>
      </div>
      <LazyTileTrend tiles={tilesOf(event, all)} meta={trendMeta(meta)} buckets={startsOf(event.series)} />
      <TableTwin sheet={sheets.get("series")} />
      {properties.length > 0 && <h3 className="font-semibold">{t("Properties")}</h3>}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        {[...properties, ...related].map((sheet) => (
          <DataTable key={sheet.key} sheet={sheet} />
        ))}
      </div>
    </section>
  );
}

function tilesOf(
  { event, count, visitors, conversion_rate, revenue, series }: Detail,
  all: readonly Bucket[],
): ChartedTile[] {
  const { currency } = revenue;
  return [
    {
      label: msg("Count"),
      kind: "count",
      value: count,
      over: {
        kind: "bars",
        title: t("{label} over time", { label: event }),
        series: [{ key: "count", label: t("Count"), unit: "count", values: series.map((bucket) => bucket.count) }],
      },
    },
    {
      label: msg("Visitors"),
      kind: "count",
      value: visitors,
      over: { kind: "bars", unit: "count", values: series.map((bucket) => bucket.visitors) },
    },
    {
      label: msg("Conversion rate"),
      kind: "fraction",
      value: conversion_rate,
      // A refund converts nobody.
      over:
        conversion_rate === null
          ? null
          : rateOver(
              series.map((bucket) => bucket.visitors),
              all.map((bucket) => bucket.visitors),
            ),
    },
    {
      label: msg("Revenue"),
      kind: "money",
      value: revenue.amount,
      currency,
      over: { kind: "bars", unit: "money", currency, values: series.map((one) => Number(one.revenue.amount)) },
    },
  ];
}
