import { expect, test } from "vitest";
import { reportAsAgent } from "@/lib/testing/reports";
import { makeSite, send, type TestSite } from "@/lib/testing/world";

const NOW = new Date("2025-03-12T15:30:00Z");
const PHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";

const fetchReport = (site: TestSite, input: object) =>
  reportAsAgent("analytics.funnels.advanced", site, { period: "7d", ...input }, NOW);

const at = (time: string, day: number | string = 12) => new Date(`2025-03-${day}T${time}Z`);

type Step = [Date, string | object];
async function live(site: TestSite, who: number, steps: Step[], sending: object = {}): Promise<void> {
  for (const [at, what] of steps) {
    const url = `https://${site.host}/`;
    const named = typeof what === "string" && !what.startsWith("/") ? { name: what, url } : what;
    const event = typeof named === "string" ? named : { url, ...named };
    await send(site, event, { at, address: `198.51.100.${who}`, ...sending });
  }
}

const FUNNEL = "/a > /b > event:Buy";
const paid = (amount: string, currency = "EUR") => ({ name: "Buy", revenue: { amount, currency } });

test("time and revenue per step are those of the latest events of the longest funnel path", async () => {
  const site = await makeSite();
  await live(site, 1, [
    [at("09:00:00"), "/a"],
    [at("09:00:30"), "/a"],
    [at("09:01:00"), "/b"],
    [at("09:03:00"), paid("10.50")],
    [at("09:04:00"), paid("99")],
  ]);
  await live(site, 2, [
    [at("09:00:00"), "/a"],
    [at("09:00:10"), "/b"],
    [at("09:01:00"), paid("2")],
  ]);
  await live(site, 3, [[at("09:00:00"), "/a"]]);
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

test("visitors who dropped off are listed by the next other page or event of their visit, or exit", async () => {
  const site = await makeSite();
  await live(site, 1, [
    [at("09:00:00"), "/a"],
    [at("09:00:10"), "/a"],
    [at("09:00:20"), "/c"],
    [at("09:00:30"), "/d"],
  ]);
  await live(site, 2, [
    [at("09:00:00"), "/a"],
    [at("09:00:10"), "Help"],
  ]);
  await live(site, 3, [[at("09:00:00"), "/a"]]);
  await live(site, 4, [
    [at("09:00:00"), "/a"],
    [at("10:30:00"), "/c"],
  ]);
  await live(site, 5, [
    [at("09:00:00"), "/a"],
    [at("09:01:00"), "/b"],
    [at("09:02:00"), "/c"],
  ]);
  const [{ steps }] = (await fetchReport(site, { funnel: FUNNEL })).funnels;
  expect(steps[0].left_to).toEqual([
    { kind: "exit", value: null, visitors: 2 },
    { kind: "event", value: "Help", visitors: 1 },
    { kind: "page", value: "/c", visitors: 1 },
  ]);
  expect(steps[1].left_to).toEqual([{ kind: "page", value: "/c", visitors: 1 }]);
  expect(steps[2].left_to).toEqual([]);
});

test("steps by source, device and country of the visit in which the funnel path started", async () => {
  const site = await makeSite();
  const from = (path: string, referrer: string) => ({ name: "pageview", url: `https://${site.host}${path}`, referrer });
  const google = from("/a", "https://www.google.com/");
  await live(site, 1, [[at("09:00:00"), google]]);
  await live(site, 1, [[at("10:30:00"), from("/b", "https://news.ycombinator.com/")]]);
  await live(site, 2, [[at("09:00:00"), google]]);
  await live(site, 3, [[at("09:00:00"), "/a"]], { userAgent: PHONE });
  const [{ sources, devices, countries }] = (await fetchReport(site, { funnel: "/a > /b" })).funnels;
  expect(sources).toEqual([
    { value: "Google", visitors: [2, 1] },
    { value: null, visitors: [1, 0] },
  ]);
  expect(devices).toEqual([
    { value: "Desktop", visitors: [2, 1] },
    { value: "Mobile", visitors: [1, 0] },
  ]);
  expect(countries.map(({ visitors }: { visitors: number[] }) => visitors)).toEqual([[3, 1]]);
});

test("the trend has no gaps, counts when a funnel path started, and has a comparison", async () => {
  const site = await makeSite();
  await live(site, 3, [[at("09:00:00", "09"), "/a"]]);
  await live(site, 1, [
    [at("23:58:00", 10), "/a"],
    [at("00:02:00", 11), "/b"],
  ]);
  await live(site, 2, [[at("09:00:00", 12), "/a"]]);
  const input = {
    funnel: "/a > /b",
    period: "custom",
    from: "2025-03-10",
    to: "2025-03-12",
    compare: "previous_period",
  };
  const [{ trend, comparison }] = (await fetchReport(site, input)).funnels;
  expect(trend.map(({ label, entered, converted }: Record<string, unknown>) => [label, entered, converted])).toEqual([
    ["2025-03-10", 1, 1],
    ["2025-03-11", 0, 0],
    ["2025-03-12", 1, 0],
  ]);
  expect([comparison.entered, comparison.trend.length]).toEqual([1, 3]);
});

test("a funnel without visitors has no times, rates or rows", async () => {
  const site = await makeSite();
  const [{ entered, conversion_rate, steps, sources }] = (await fetchReport(site, { funnel: FUNNEL })).funnels;
  expect([entered, conversion_rate, sources]).toEqual([0, null, []]);
  expect(steps[1]).toMatchObject({ visitors: 0, conversion_from_first: null, left_to: [] });
  expect((await fetchReport(site, { funnel: "None" })).code).toBe("not_found");
});
