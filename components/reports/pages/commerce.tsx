import { DataTable } from "@/components/reports/pages/data-table";
import type { CommerceAnswer } from "@/components/reports/pages/sheets/commerce";
import { StepBars } from "@/components/reports/pages/step-bars";
import { TableTwin } from "@/components/reports/pages/table-twin";
import { Teach } from "@/components/reports/pages/teach";
import { type Tile, Tiles } from "@/components/reports/pages/tiles";
import { TrendCard } from "@/components/reports/pages/trend-card";
import type { Sheet } from "@/components/reports/sheet";
import { Notice } from "@/components/ui/notice";

interface Props {
  answer: CommerceAnswer;
  sheets: Map<string, Sheet>;
  currency: string;
}

type Totals = CommerceAnswer["totals"];

/** What was sold, to whom, and what of it came back. */
export function CommerceReport({ answer, sheets, currency }: Props) {
  const { totals, previous, unconverted, meta } = answer;
  if (answer.currencies.length + answer.products.length + totals.orders === 0 && isNothing(totals)) {
    return (
      <Teach
        title="No sales in this range"
        code={`footfall("Purchase", { revenue: { amount: "49.00", currency: "${currency}" } });`}
        docs={{ href: "/docs/measurement-protocol", label: "Send them from your server" }}
      >
        Any event that carries revenue counts. Your shop&rsquo;s server can send whole orders with their products, and
        refunds.
      </Teach>
    );
  }
  const tables = [...sheets.values()].filter(({ key, rows }) => key !== "funnel" && rows.length > 0);
  return (
    <>
      {unconverted.length > 0 && (
        <Notice tone="warn">
          Some money is in no number here, because no exchange rate of its day is known: see “Not converted” below.
        </Notice>
      )}
      <Tiles tiles={tilesOf(totals, previous)} />
      <TrendCard
        title="Revenue and orders"
        kind="area"
        meta={meta}
        buckets={answer.series}
        series={[
          {
            key: "net",
            label: "Net revenue",
            unit: "money",
            currency: totals.revenue.currency,
            read: ({ net }) => Number(net.amount),
          },
          {
            key: "orders",
            label: "Orders",
            unit: "count",
            axis: "right",
            read: ({ orders }) => orders,
          },
        ]}
      />
      <Way sheet={sheets.get("funnel")} funnel={answer.funnel} />
      {tables.map((sheet) => (
        <DataTable key={sheet.key} sheet={sheet} truncated={meta.truncated && sheet.rows.length === meta.row_limit} />
      ))}
    </>
  );
}

const isNothing = ({ revenue, refunds }: Totals): boolean =>
  Number(revenue.amount) === 0 && Number(refunds.amount) === 0;

function tilesOf(totals: Totals, previous: Totals | null): Tile[] {
  const money = (
    label: string,
    key: "revenue" | "refunds" | "net" | "average_order_value",
    more: Partial<Tile> = {},
  ): Tile => ({
    label,
    kind: "money",
    currency: totals.revenue.currency,
    value: totals[key]?.amount ?? null,
    before: previous ? (previous[key]?.amount ?? null) : undefined,
    ...more,
  });
  return [
    money("Revenue", "revenue", {
      about: "All events that carry a positive amount; an order that was sent twice counts once",
    }),
    { label: "Orders", kind: "count", value: totals.orders, before: previous?.orders },
    money("Average order", "average_order_value"),
    money("Refunds", "refunds", { lessIsBetter: true, about: "Counted where they happened, whenever their order was" }),
    money("Net", "net", { about: "Revenue less refunds" }),
    {
      label: "Buyers of visitors",
      kind: "fraction",
      value: totals.conversion_rate,
      before: previous?.conversion_rate,
      about: "Distinct visitors with an order, of all visitors",
    },
  ];
}

function Way({ sheet, funnel }: { sheet: Sheet | undefined; funnel: CommerceAnswer["funnel"] }) {
  if (!sheet || (funnel[0]?.visitors ?? 0) === 0) {
    return (
      <p className="px-1 text-sm text-muted">
        Send product_viewed, cart_added, checkout_started and purchase, and the way to a purchase stands here.
      </p>
    );
  }
  return (
    <section aria-label={sheet.title} className="space-y-2">
      <div className="card">
        <h2 className="px-4 pt-3.5 pb-3 text-[0.9375rem] font-semibold">{sheet.title}</h2>
        <StepBars
          steps={funnel.map(({ visitors, from_first, from_previous }, index) => ({
            name: `${sheet.rows[index]?.[0]}`,
            visitors,
            fromFirst: from_first,
            fromPrevious: from_previous,
          }))}
        />
      </div>
      <TableTwin>
        <DataTable sheet={sheet} />
      </TableTwin>
    </section>
  );
}
