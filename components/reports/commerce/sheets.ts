import type { z } from "zod";
import { campaignFilters, tagColumns } from "@/components/reports/campaigns/sheets";
import { kindOfStep, purchaseStepName } from "@/components/reports/purchase-steps";
import { filteredBy, filteredByEventPattern } from "@/components/reports/row-filter";
import { type ColumnOf, column, type Sheet, sheetOf } from "@/components/reports/sheet";
import { valueColumn } from "@/components/reports/value-column";
import { patternOf } from "@/lib/contract/commerce";
import type commerce from "@/lib/operations/analytics.commerce";
import { msg, t } from "@/lib/texts/translate";

export type CommerceAnswer = z.output<(typeof commerce)["output"]>;
type Of<Key extends keyof CommerceAnswer> = CommerceAnswer[Key] extends (infer Row)[] ? Row : never;
type Part = Pick<Of<"sources">, "orders" | "revenue" | "refunds" | "net" | "average_order_value">;

const part = [
  column<Part>(msg("Orders"), "count", (row) => row.orders),
  column<Part>(msg("Revenue"), "money", (row) => row.revenue),
  column<Part>(msg("Refunds"), "money", (row) => row.refunds),
  column<Part>(msg("Net"), "money", (row) => row.net, { about: msg("Revenue minus refunds") }),
  column<Part>(msg("Average order"), "money", (row) => row.average_order_value),
];

const products: ColumnOf<Of<"products">>[] = [
  column(msg("Product"), "text", (row) => row.name ?? row.product),
  column(msg("Id"), "text", (row) => row.product),
  column(msg("Views"), "count", (row) => row.views),
  column(msg("Cart adds"), "count", (row) => row.cart_adds),
  column(msg("Sold"), "number", (row) => row.quantity),
  column(msg("Revenue"), "money", (row) => row.revenue),
  column(msg("Without price"), "number", (row) => row.unpriced, {
    about: msg("Sold items that are not included in revenue"),
  }),
];

const campaigns: ColumnOf<Of<"campaigns">>[] = [...tagColumns<Of<"campaigns">>(msg("No campaign")), ...part];

/** Returns the view of the events of a step, whose names sites spell in several ways. */
export function linkToStep(meta: CommerceAnswer["meta"], step: string) {
  const kind = kindOfStep(step);
  return kind ? filteredByEventPattern(meta, patternOf(kind)) : filteredBy(meta, { event: step });
}

/** Returns the tables of the purchase funnel, products, sources, campaigns, coupons and currencies. */
export const commerceSheets = (answer: CommerceAnswer): Sheet[] => [
  sheetOf<Of<"funnel">>(
    "funnel",
    msg("Purchase funnel"),
    answer.funnel,
    [
      column(msg("Step"), "text", (row) => purchaseStepName(row.step)),
      column(msg("Visitors"), "count", (row) => row.visitors),
      column(msg("Of first step"), "fraction", (row) => row.from_first),
      column(msg("Of previous step"), "fraction", (row) => row.from_previous),
    ],
    { link: ({ step }) => linkToStep(answer.meta, step) },
  ),
  sheetOf("products", msg("Products"), answer.products, products, {
    bar: 5,
    link: ({ product }) => filteredBy(answer.meta, { product }),
  }),
  sheetOf<Of<"sources">>(
    "sources",
    msg("Sources"),
    answer.sources,
    [valueColumn(msg("Source"), "source", (row) => row.source), ...part],
    { bar: 2, link: ({ source }) => filteredBy(answer.meta, { source }) },
  ),
  sheetOf("campaigns", msg("Campaigns"), answer.campaigns, campaigns, {
    bar: 6,
    link: (row) => filteredBy(answer.meta, campaignFilters(row)),
  }),
  sheetOf<Of<"coupons">>(
    "coupons",
    msg("Coupons"),
    answer.coupons,
    [
      column(msg("Coupon"), "text", (row) => row.coupon),
      column(msg("Orders"), "count", (row) => row.orders),
      column(msg("Revenue"), "money", (row) => row.revenue),
    ],
    { link: ({ coupon }) => filteredBy(answer.meta, { "prop:coupon": coupon }) },
  ),
  ...moneySheets(answer),
];

const moneySheets = ({ currencies, rates, unconverted }: CommerceAnswer): Sheet[] => [
  sheetOf<Of<"currencies">>("currencies", msg("Other currencies"), currencies, [
    column(msg("Currency"), "text", (row) => row.currency),
    column(msg("Revenue"), "number", (row) => row.revenue, { about: msg("In this currency") }),
    column(msg("Refunds"), "number", (row) => row.refunds, { about: msg("In this currency") }),
    column(msg("Revenue, converted"), "money", (row) => row.converted_revenue),
    column(msg("Refunds, converted"), "money", (row) => row.converted_refunds),
  ]),
  sheetOf<Of<"rates">>("rates", msg("Exchange rates used"), rates, [
    column(msg("Day"), "date", (row) => row.day),
    column(msg("Currency"), "text", (row) => row.currency),
    column(t("{kind, select, exchange {Rate} other {Rate}}", { kind: "exchange" }), "number", (row) => row.rate, {
      about: msg("Units of the reporting currency for one unit of this currency"),
    }),
    column(msg("Rate date"), "date", (row) => row.rate_date),
    column(msg("Rate source"), "text", (row) => (row.source === "own" ? t("Site") : t("European Central Bank"))),
  ]),
  sheetOf<Of<"unconverted">>("unconverted", msg("Not converted"), unconverted, [
    column(msg("Currency"), "text", (row) => row.currency),
    column(msg("Revenue"), "number", (row) => row.revenue),
    column(msg("Refunds"), "number", (row) => row.refunds),
  ]),
];
