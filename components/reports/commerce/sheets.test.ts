import { expect, test } from "vitest";
import { commerceSheets } from "@/components/reports/commerce/sheets";
import commerce from "@/lib/operations/analytics.commerce";
import { reportAsOwner, shop } from "@/lib/testing/reports";
import { makeSite } from "@/lib/testing/world";

const NOW = "2025-03-12T15:30:00Z";

test("a row of the purchase funnel filters by its event in every spelling", async () => {
  const site = await makeSite();
  const server = await shop(site);
  const sell = (user: string, name: string, properties: object) =>
    server(user, "2025-03-12T10:00:00Z", { type: "commerce", name, properties: { currency: "EUR", ...properties } });
  const names = ["purchase", "Purchase", "order_completed", "Order Completed", "ORDER-COMPLETED"];
  for (const [index, name] of names.entries()) await sell(`u${index}`, name, { order_id: `${index}`, value: "2.00" });
  await sell("u9", "purchases", { value: "7.00" });
  const ask = (filters: object) => reportAsOwner(commerce, site, { period: "today", filters }, NOW);
  const answer = await ask({});
  expect(answer.totals.revenue.amount).toBe("17.00");
  const funnel = commerceSheets(answer).find(({ key }) => key === "funnel");
  const salesOf = async (step: number) => {
    const { totals } = await ask(JSON.parse(funnel?.links?.[step]?.filters ?? "{}"));
    return [totals.orders, totals.revenue.amount];
  };
  expect(await salesOf(3)).toEqual([5, "10.00"]);
  expect(await salesOf(1)).toEqual([0, "0.00"]);
});
