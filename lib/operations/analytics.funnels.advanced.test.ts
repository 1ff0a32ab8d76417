import { expect, test } from "vitest";
import { reportAsAgent } from "@/lib/testing/reports";
import { makeSite, send, type TestSite } from "@/lib/testing/world";

const NOW = new Date("2025-03-12T15:30:00Z");

const fetchReport = (site: TestSite, input: object) =>
  reportAsAgent("analytics.funnels.advanced", site, { period: "7d", ...input }, NOW);

async function live(site: TestSite, who: number, steps: [time: string, event: string | object][]): Promise<void> {
  for (const [time, event] of steps)
    await send(site, event, { at: `2025-03-12T${time}Z`, address: `198.51.100.${who}` });
}

const FUNNEL = "/a > /b > event:Buy";
const paid = (amount: string) => ({ name: "Buy", path: "/", revenue: { amount, currency: "EUR" } });

test("time and revenue per step are those of the latest events of the longest funnel path", async () => {
  const site = await makeSite();
  await live(site, 1, [
    ["09:00:00", "/a"],
    ["09:00:30", "/a"],
    ["09:01:00", "/b"],
    ["09:03:00", paid("10.50")],
    ["09:04:00", paid("99")],
  ]);
  await live(site, 2, [
    ["09:00:00", "/a"],
    ["09:00:10", "/b"],
    ["09:01:00", paid("2")],
  ]);
  await live(site, 3, [["09:00:00", "/a"]]);
  const [{ entered, converted, steps, comparison }] = (await fetchReport(site, { funnel: FUNNEL })).funnels;
  expect([entered, converted, comparison]).toEqual([3, 2, null]);
  const none = { p50: null, p75: null, p90: null };
  expect(steps.map((step: object) => "seconds_from_previous" in step && step.seconds_from_previous)).toEqual([
    none,
    { p50: 20, p75: 25, p90: 28 },
    { p50: 85, p75: 102.5, p90: 113 },
  ]);
  expect(steps[2].seconds_from_first).toEqual({ p50: 105, p75: 127.5, p90: 141 });
  expect(steps.map(({ revenue }: { revenue: object }) => revenue)).toEqual([
    { amount: "0.00", currency: "EUR" },
    { amount: "0.00", currency: "EUR" },
    { amount: "12.50", currency: "EUR" },
  ]);
});

test("a funnel without visitors has no times, rates or rows", async () => {
  const site = await makeSite();
  const [{ entered, conversion_rate, steps, sources }] = (await fetchReport(site, { funnel: FUNNEL })).funnels;
  expect([entered, conversion_rate, sources]).toEqual([0, null, []]);
  expect(steps[1]).toMatchObject({ visitors: 0, conversion_from_first: null, left_to: [] });
  expect((await fetchReport(site, { funnel: "None" })).code).toBe("not_found");
});
