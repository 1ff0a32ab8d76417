import { z } from "zod";
import { moneyShape } from "@/lib/analytics/money";
import { seriesShape } from "@/lib/analytics/reports/trend";
import { metaShape, untrusted } from "@/lib/contract/fields";

/** What analytics.commerce answers, with the definition of each number. */

const revenue = moneyShape.meta({
  description:
    "Purchases, each order once, and every other event that carries a positive amount, however it was sent, in the reporting currency by the rate of its local day",
});
const orders = z.int().meta({
  description:
    "Purchases. An order_id counts once, with its earliest purchase in the range; a purchase without one is an order of its own",
});
const refunds = moneyShape.meta({
  description:
    "What was given back, as a positive amount: events named refund and negative amounts, counted where they happened, whenever their order was",
});
const net = moneyShape.meta({ description: "Revenue less refunds; below 0 when more was given back than came in" });
const average = moneyShape.nullable().meta({
  description:
    "Revenue of orders divided by the orders whose amount is known in the reporting currency; null without any",
});
const part = { orders, revenue, refunds, net, average_order_value: average };

const totalsShape = z.object({
  ...part,
  order_revenue: moneyShape.meta({ description: "Of the revenue, what purchases brought in" }),
  other_revenue: moneyShape.meta({ description: "Of the revenue, what other events brought in" }),
  refund_count: z.int(),
  tax: moneyShape.meta({ description: "Tax that the orders name; whether revenue holds it is up to the sender" }),
  shipping: moneyShape.meta({ description: "Shipping that the orders name" }),
  visitors: z.int().meta({ description: "All visitors of the question" }),
  buyers: z.int().meta({ description: "Distinct visitors with an order, added up over the local days" }),
  conversion_rate: z.number().nullable().meta({ description: "Buyers divided by visitors, at most 1" }),
});

const fraction = z.number().nullable();
const inOwn = (description: string) => z.string().meta({ description, examples: ["12.34"] });

export const commerceShape = z.object({
  meta: metaShape,
  totals: totalsShape,
  previous: totalsShape.nullable().meta({ description: "The comparison range" }),
  refunds: z
    .object({
      orders: z.int().meta({ description: "Orders with at least one refund" }),
      of_other_orders: z.int().meta({ description: "Of these, orders that are not in the range: older, or unknown" }),
      without_order: z.int().meta({ description: "Refunds that name no order" }),
      exceeding: z.int().meta({
        description: "Orders of the range of which more was given back than was paid, in the one currency of both",
      }),
    })
    .meta({ description: "How refunds stand against the orders of the same range" }),
  repeated_orders: z
    .int()
    .meta({ description: "Purchases that repeated an order_id of the range and were not counted again" }),
  funnel: z
    .array(
      z.object({
        step: z.string(),
        visitors: z.int(),
        from_first: fraction.meta({ description: "Share of the first step's visitors" }),
        from_previous: fraction.meta({ description: "Share of the step before's visitors; null for the first step" }),
      }),
    )
    .meta({
      description:
        "As in analytics.funnels with a window of 24 hours: each step strictly later than the one before; a visitor counts on each local day on which they began",
    }),
  products: z.array(
    z.object({
      product: untrusted.meta({ description: "Its product_id, else its name" }),
      name: untrusted.nullable(),
      views: z.int(),
      cart_adds: z.int().meta({ description: "How often it was put into a cart" }),
      quantity: z.number().meta({ description: "Pieces in counted orders; an item without a quantity is one" }),
      revenue: moneyShape.meta({ description: "Price times quantity of the pieces in counted orders" }),
      unpriced: z.number().meta({
        description: "Pieces whose price was not sent or could not be converted: they are not in its revenue",
      }),
    }),
  ),
  sources: z.array(z.object({ source: untrusted.nullable(), ...part })),
  campaigns: z.array(
    z.object({
      source: untrusted.nullable(),
      medium: untrusted.nullable(),
      campaign: untrusted.nullable(),
      term: untrusted.nullable(),
      content: untrusted.nullable(),
      ...part,
    }),
  ),
  coupons: z.array(z.object({ coupon: untrusted, orders, revenue: moneyShape })),
  currencies: z
    .array(
      z.object({
        currency: z.string().length(3),
        revenue: inOwn("In this currency"),
        refunds: inOwn("In this currency"),
        converted_revenue: moneyShape,
        converted_refunds: moneyShape,
      }),
    )
    .meta({ description: "Every currency but the reporting one in which money was sent" }),
  rates: z
    .array(
      z.object({
        currency: z.string().length(3),
        day: z.string().meta({ description: "The local day of the money" }),
        rate: z.string().meta({ description: "Units of the reporting currency for one unit of `currency`" }),
        rate_date: z.string().meta({ description: "The day that the rate is of; of a cross rate, the older one" }),
        source: z
          .enum(["own", "reference"])
          .meta({ description: "Entered for the site, or the European Central Bank's reference rate" }),
      }),
    )
    .meta({ description: "The rates used, the newest days first" }),
  unconverted: z
    .array(
      z.object({
        currency: z.string().length(3),
        revenue: inOwn("In this currency"),
        refunds: inOwn("In this currency"),
      }),
    )
    .meta({ description: "Money that is in no other amount, because no rate of its currency is known for its day" }),
  series: seriesShape(
    { orders, revenue: moneyShape, refunds: moneyShape, net: moneyShape },
    "The range bucket by bucket; an order that was sent twice counts where it was sent first",
  ),
});
