import { expect, test } from "vitest";
import { reportAsAgent } from "@/lib/testing/reports";
import { callApi, makeClient, makeSite, send } from "@/lib/testing/world";

const NOW = new Date("2025-03-12T15:30:00Z");

test("a goal is worth a fixed amount, the number in a property, or the revenue of its events, in every report that counts conversions", async () => {
  const site = await makeSite();
  const url = `https://${site.host}/`;
  const at = new Date("2025-03-12T09:00:00Z");
  const paid = { props: { order_id: "o1", seats: "3" }, revenue: { amount: "49.00", currency: "EUR" } };
  const tagged = `${url}?utm_campaign=spring`;
  await send(site, { name: "pageview", url: tagged }, { at });
  await send(site, { name: "purchase", url, ...paid }, { at });
  // Sent again: no revenue, but the event reaches the goal once more.
  await send(site, { name: "purchase", url, ...paid }, { at: new Date(at.getTime() + 60_000) });
  await send(site, { name: "purchase", url, props: { seats: "many" } }, { at: new Date(at.getTime() + 120_000) });
  const { token } = await makeClient({ scopes: ["sites:write"], sites: [site], personId: site.ownerId, now: NOW });
  const reached_by = { kind: "event", pattern: "purchase" };
  const save = (name: string, value: object) =>
    callApi("sites.goals.save", { token, now: NOW, input: { site_id: site.id, name, reached_by, value } });
  const values = {
    amount: [{ of: "amount", amount: "12.5" }, 37.5],
    property: [{ of: "property", property: "seats" }, 6],
    revenue: [{ of: "revenue" }, 49],
  } as const;
  for (const [name, [value, worth]] of Object.entries(values)) {
    expect((await save(name, value)).body.data).toMatchObject({ value });
    const asked = { period: "7d", goal: name };
    const overview = await reportAsAgent("analytics.overview", site, asked, NOW);
    expect(overview.metrics).toMatchObject({ conversions: 3, conversion_value: worth });
    expect(overview.panels.sources).toMatchObject([{ value: null, conversion_value: worth }]);
    const chart = await reportAsAgent("analytics.chart", site, { ...asked, interval: "day" }, NOW);
    expect(chart.metrics.conversion_value).toBe(worth);
    const metrics = { metrics: "conversion_value", dimensions: "page" };
    const { rows } = await reportAsAgent("analytics.explore", site, { ...asked, ...metrics }, NOW);
    expect(rows).toEqual([{ values: ["/"], conversion_value: worth }]);
    const { goals } = await reportAsAgent("analytics.events", site, { period: "7d" }, NOW);
    const money = { amount: worth.toFixed(2), currency: "EUR" };
    expect(goals.find(({ goal }: { goal: string }) => goal === name).conversion_value).toEqual(money);
  }
  // An event that reaches several goals has the value of each.
  const { campaigns, channels } = await reportAsAgent("analytics.campaigns", site, { period: "7d" }, NOW);
  const all = { amount: "92.50", currency: "EUR" };
  expect(campaigns).toMatchObject([{ campaign: "spring", conversion_value: all }]);
  expect(channels).toMatchObject([{ conversion_value: all }]);
  const none = await makeSite();
  await send(none, { name: "pageview", url: `https://${none.host}/?utm_campaign=spring` }, { at });
  const valueless = await reportAsAgent("analytics.campaigns", none, { period: "7d" }, NOW);
  expect(valueless.campaigns).toMatchObject([{ campaign: "spring", conversion_value: null }]);
  const refusals = [
    [{ of: "amount" }, "value.amount"],
    [{ of: "amount", amount: "1e9" }, "value.amount"],
    [{ of: "amount", amount: "-5" }, "value.amount"],
    [{ of: "property" }, "value.property"],
    [{ of: "revenue", amount: "5" }, "value.amount"],
  ] as const;
  for (const [value, path] of refusals) {
    const { body } = await save("Refused", value);
    expect(body.error, path).toMatchObject({
      code: "invalid_input",
      details: { issues: [expect.objectContaining({ path })] },
    });
  }
});
