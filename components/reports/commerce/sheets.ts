import type { z } from "zod";
import { tagsOf } from "@/components/reports/campaigns/sheets";
import { filteredBy } from "@/components/reports/row-filter";
import { type ColumnOf, column, type Sheet, sheetOf } from "@/components/reports/sheet";
import type commerce from "@/lib/operations/analytics.commerce";

export type CommerceAnswer = z.output<(typeof commerce)["output"]>;
type Of<Key extends keyof CommerceAnswer> = CommerceAnswer[Key] extends (infer Row)[] ? Row : never;
type Part = Pick<Of<"sources">, "orders" | "revenue" | "refunds" | "net" | "average_order_value">;

const part = [
  column<Part>("Orders", "count", (row) => row.orders),
  column<Part>("Revenue", "money", (row) => row.revenue),
  column<Part>("Refunds", "money", (row) => row.refunds),
  column<Part>("Net", "money", (row) => row.net, { about: "Revenue minus refunds" }),
  column<Part>("Average order", "money", (row) => row.average_order_value),
];

const products: ColumnOf<Of<"products">>[] = [
  column("Product", "text", (row) => row.name ?? row.product),
  column("Id", "text", (row) => row.product),
  column("Views", "count", (row) => row.views),
  column("Cart adds", "count", (row) => row.cart_adds),
  column("Sold", "number", (row) => row.quantity),
  column("Revenue", "money", (row) => row.revenue),
  column("Without price", "number", (row) => row.unpriced, { about: "Sold items that are not included in revenue" }),
];

const campaigns: ColumnOf<Of<"campaigns">>[] = [
  column("Campaign", "text", (row) => row.campaign, { unknown: "No campaign" }),
  column("Source", "text", (row) => row.source),
  column("Medium", "text", (row) => row.medium),
  column("Term", "text", (row) => row.term),
  column("Content", "text", (row) => row.content),
  ...part,
];

/** Names of the steps of the purchase funnel. */
export const STEPS: Record<string, string> = {
  product_viewed: "Product view",
  cart_added: "Add to cart",
  checkout_started: "Checkout",
  purchase: "Purchase",
};

/** Returns the tables of the purchase funnel, products, sources, campaigns, coupons and currencies. */
export const commerceSheets = (answer: CommerceAnswer): Sheet[] => [
  sheetOf<Of<"funnel">>("funnel", "Purchase funnel", answer.funnel, [
    column("Step", "text", (row) => STEPS[row.step] ?? row.step),
    column("Visitors", "count", (row) => row.visitors),
    column("Of first step", "fraction", (row) => row.from_first),
    column("Of previous step", "fraction", (row) => row.from_previous),
  ]),
  sheetOf("products", "Products", answer.products, products, { bar: 5 }),
  sheetOf<Of<"sources">>(
    "sources",
    "Sources",
    answer.sources,
    [column("Source", "text", (row) => row.source, { unknown: "Direct or unknown" }), ...part],
    { bar: 2, link: ({ source }) => filteredBy(answer.meta, { source }) },
  ),
  sheetOf("campaigns", "Campaigns", answer.campaigns, campaigns, {
    bar: 6,
    link: (row) => filteredBy(answer.meta, tagsOf(row)),
  }),
  sheetOf<Of<"coupons">>(
    "coupons",
    "Coupons",
    answer.coupons,
    [
      column("Coupon", "text", (row) => row.coupon),
      column("Orders", "count", (row) => row.orders),
      column("Revenue", "money", (row) => row.revenue),
    ],
    { link: ({ coupon }) => filteredBy(answer.meta, { "prop:coupon": coupon }) },
  ),
  ...moneySheets(answer),
];

const moneySheets = ({ currencies, rates, unconverted }: CommerceAnswer): Sheet[] => [
  sheetOf<Of<"currencies">>("currencies", "Other currencies", currencies, [
    column("Currency", "text", (row) => row.currency),
    column("Revenue", "number", (row) => row.revenue, { about: "In this currency" }),
    column("Refunds", "number", (row) => row.refunds, { about: "In this currency" }),
    column("Revenue, converted", "money", (row) => row.converted_revenue),
    column("Refunds, converted", "money", (row) => row.converted_refunds),
  ]),
  sheetOf<Of<"rates">>("rates", "Exchange rates used", rates, [
    column("Day", "date", (row) => row.day),
    column("Currency", "text", (row) => row.currency),
    column("Rate", "number", (row) => row.rate, {
      about: "Units of the reporting currency for one unit of this currency",
    }),
    column("Rate date", "date", (row) => row.rate_date),
    column("Rate source", "text", (row) => (row.source === "own" ? "Site" : "European Central Bank")),
  ]),
  sheetOf<Of<"unconverted">>("unconverted", "Not converted", unconverted, [
    column("Currency", "text", (row) => row.currency),
    column("Revenue", "number", (row) => row.revenue),
    column("Refunds", "number", (row) => row.refunds),
  ]),
];
