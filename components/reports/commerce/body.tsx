import type { CommerceAnswer } from "@/components/reports/commerce/sheets";
import { StepBars } from "@/components/reports/funnels/step-bars";
import { DataTable } from "@/components/reports/parts/data-table";
import { EmptyReport } from "@/components/reports/parts/empty-report";
import { LazyTileTrend } from "@/components/reports/parts/lazy-parts";
import { rateOver } from "@/components/reports/parts/rate-over";
import { TableTwin } from "@/components/reports/parts/table-twin";
import type { ChartedTile } from "@/components/reports/parts/tile-trend";
import { startsOf, trendMeta } from "@/components/reports/parts/trend-card";
import type { ReportProps, Sheet } from "@/components/reports/sheet";
import { Notice } from "@/components/ui/notice";
import { msg, t } from "@/lib/texts/translate";

interface Props extends ReportProps<CommerceAnswer> {
  currency: string;
}

type Totals = CommerceAnswer["totals"];

/** Report: revenue, orders, products and refunds. */
export function CommerceReport({ answer, sheets, currency }: Props) {
  const { totals, unconverted, meta } = answer;
  if (answer.currencies.length + answer.products.length + totals.orders === 0 && hasNoAmounts(totals)) {
    return (
      <EmptyReport
        title={t("No sales in this range")}
        code={`footfall("purchase", { props: { order_id: "2026-000042" }, revenue: { amount: "49.00", currency: "${currency}" } });`}
        docs={{ href: "/docs/measurement-protocol", label: t("Send orders from your server") }}
      >
        {t(
          "A purchase event is an order; any other event with revenue counts as other revenue. Your server can also send orders with products, and refunds.",
        )}
      </EmptyReport>
    );
  }
  const tables = [...sheets.values()].filter(({ key, rows }) => key !== "funnel" && rows.length > 0);
  return (
    <>
      {unconverted.length > 0 && (
        <Notice tone="warn">
          {t(
            "Some amounts are not included, because no exchange rate is known for the day. See “Not converted” below.",
          )}
        </Notice>
      )}
      <LazyTileTrend tiles={tilesOf(answer)} meta={trendMeta(meta)} buckets={startsOf(answer.series)} />
      <PurchaseFunnel sheet={sheets.get("funnel")} funnel={answer.funnel} />
      {tables.map((sheet) => (
        <DataTable key={sheet.key} sheet={sheet} truncated={meta.truncated && sheet.rows.length === meta.row_limit} />
      ))}
    </>
  );
}

const hasNoAmounts = ({ revenue, refunds }: Totals): boolean =>
  Number(revenue.amount) === 0 && Number(refunds.amount) === 0;

function tilesOf({ totals, previous, series }: CommerceAnswer): ChartedTile[] {
  const { currency } = totals.revenue;
  const money = (
    label: string,
    key: "revenue" | "refunds" | "net" | "average_order_value",
    more: Partial<ChartedTile> = {},
  ): ChartedTile => ({
    label,
    kind: "money",
    currency,
    value: totals[key]?.amount ?? null,
    before: previous ? (previous[key]?.amount ?? null) : undefined,
    over: {
      // Between buckets without an order there is no average to draw.
      kind: key === "average_order_value" ? "bars" : "area",
      unit: "money",
      currency,
      values: series.map((bucket) => bucket[key] && Number(bucket[key].amount)),
    },
    ...more,
  });
  return [
    money(msg("Revenue"), "revenue", {
      about: msg("All events with a positive amount; an order that is sent twice counts once"),
    }),
    {
      label: msg("Orders"),
      kind: "count",
      value: totals.orders,
      before: previous?.orders,
      over: { unit: "count", values: series.map(({ orders }) => orders) },
    },
    money(msg("Average order"), "average_order_value"),
    money(msg("Refunds"), "refunds", { about: msg("Counted on the day of the refund, not of the order") }),
    money(msg("Net"), "net", { about: msg("Revenue less refunds") }),
    {
      label: msg("Conversion rate"),
      kind: "fraction",
      value: totals.conversion_rate,
      before: previous?.conversion_rate,
      about: msg("Share of visitors with an order"),
      over: rateOver(
        series.map(({ buyers }) => buyers),
        series.map(({ visitors }) => visitors),
      ),
    },
  ];
}

function PurchaseFunnel({ sheet, funnel }: { sheet: Sheet | undefined; funnel: CommerceAnswer["funnel"] }) {
  if (!sheet || (funnel[0]?.visitors ?? 0) === 0) {
    return (
      <p className="px-1 text-sm text-muted">
        {t("Send product_viewed, cart_added, checkout_started and purchase events to see the purchase funnel.")}
      </p>
    );
  }
  return (
    <section aria-label={t(sheet.title)} className="space-y-2">
      <div className="card">
        <h2 className="px-4 pt-3.5 pb-3 text-[0.9375rem] font-semibold">{t(sheet.title)}</h2>
        <StepBars
          steps={funnel.map(({ visitors, from_first, from_previous }, index) => ({
            name: `${sheet.rows[index]?.[0]}`,
            visitors,
            fromFirst: from_first,
            fromPrevious: from_previous,
            link: sheet.links?.[index] ?? null,
          }))}
        />
      </div>
      <TableTwin sheet={sheet} />
    </section>
  );
}
