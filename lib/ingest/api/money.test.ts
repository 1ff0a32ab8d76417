import { expect, test } from "vitest";
import commerce from "@/lib/operations/analytics.commerce";
import { postEvents, siteWithKey } from "@/lib/testing/measuring";
import { reportAsOwner } from "@/lib/testing/reports";
import { post, type TestSite } from "@/lib/testing/world";

/** Money that events carry under any name, in both APIs. */

const DAY = "2025-03-12";
const AT = `${DAY}T10:00:00Z`;

const totalsOf = async (site: TestSite) =>
  (await reportAsOwner(commerce, site, { from: DAY, to: DAY }, "2025-03-14T12:00:00Z")).totals;

interface Money {
  name: string;
  props?: object;
  revenue?: object;
}

/** Sends an event by one API. @returns the status and warnings of its answer. */
type Sends = (site: TestSite, key: string, event: Money) => Promise<{ status: string; warnings?: object[] }>;

const byEventsApi: Sends = async (site, _, event) => (await post(site, event, { at: AT })).json();
const inBatch =
  (type: string): Sends =>
  async (_, key, { props, ...event }) => {
    const { body } = await postEvents([{ type, ...event, properties: props }], { key, at: AT });
    return body.results[0] as Awaited<ReturnType<Sends>>;
  };
const APIS = [
  ["the Events API", byEventsApi],
  ["a batch, as type event", inBatch("event")],
  ["a batch, as type commerce", inBatch("commerce")],
] as const;

const EUR = "EUR";

test.each(APIS)("by %s, money under any name counts as other revenue, wherever it stands", async (api, send) => {
  const { site, key } = await siteWithKey();
  const sent: Money[] = [
    { name: "Donation", props: { revenue: "7.00", currency: EUR } },
    { name: "Tip", props: { value: 2, currency: EUR } },
    { name: "Renewal", props: { value: 99, revenue: 1, total: 99, currency: EUR } },
    { name: "Top up", revenue: { amount: "10.00", currency: EUR }, props: { value: 99, currency: EUR } },
  ];
  for (const event of sent) {
    const { status, warnings = [] } = await send(site, key, event);
    expect([status, warnings.length]).toEqual(["stored", api.endsWith("commerce") ? 1 : 0]);
  }
  expect(await totalsOf(site)).toMatchObject({
    orders: 0,
    other_revenue: { amount: "20.00", currency: EUR },
    revenue: { amount: "20.00", currency: EUR },
  });
});

test.each(APIS)(
  "by %s, a standard name is understood in any spelling, with its amount in either place",
  async (_, send) => {
    const { site, key } = await siteWithKey();
    const names = ["Purchase", "PURCHASE", "order_completed", "orderCompleted", "Order-Completed", "order completed"];
    for (const [index, name] of names.entries()) {
      const order = { order_id: `o-${index}` };
      const event = index % 2 ? { revenue: { amount: 5, currency: EUR } } : {};
      const props = index % 2 ? order : { ...order, value: "5.00", currency: EUR };
      expect(await send(site, key, { name, ...event, props })).not.toHaveProperty("warnings");
    }
    await send(site, key, { name: "Refund", props: { order_id: "o-1", value: 3, currency: EUR } });
    await send(site, key, { name: "orderRefunded", props: { order_id: "o-2" }, revenue: { amount: 2, currency: EUR } });
    expect(await totalsOf(site)).toMatchObject({
      orders: names.length,
      order_revenue: { amount: "30.00", currency: EUR },
      other_revenue: { amount: "0.00", currency: EUR },
      refunds: { amount: "5.00", currency: EUR },
      refund_count: 2,
    });
  },
);

test.each(APIS)("by %s, the worth of a cart, a lead or a number of points is not revenue", async (_, send) => {
  const { site, key } = await siteWithKey();
  const priced = { value: 50, currency: EUR, items: "none" };
  for (const name of ["add_to_cart", "AddPaymentInfo", "generate_lead", "Order Updated", "view_cart"]) {
    expect((await send(site, key, { name, props: priced })).status).toBe("stored");
  }
  expect((await send(site, key, { name: "Level up", props: { value: 12 } })).status).toBe("stored");
  expect(await totalsOf(site)).toMatchObject({ orders: 0, revenue: { amount: "0.00", currency: EUR } });
});

test.each(APIS)("by %s, money that cannot be read is stored and named in a warning", async (_, send) => {
  const { site, key } = await siteWithKey();
  const cases: [props: object, path: string][] = [
    [{ revenue: 7 }, "currency"],
    [{ revenue: "7,00", currency: EUR }, "revenue"],
    [{ value: 7, currency: "€" }, "currency"],
  ];
  for (const [props, path] of cases) {
    const { status, warnings = [] } = await send(site, key, { name: "Donation", props });
    expect(status).toBe("stored");
    expect(warnings).toContainEqual({
      path: expect.stringMatching(new RegExp(`^prop(ertie)?s\\.${path}$`)),
      message: expect.stringContaining("the amount is not counted"),
    });
  }
  expect(await totalsOf(site)).toMatchObject({ revenue: { amount: "0.00", currency: EUR } });
});
