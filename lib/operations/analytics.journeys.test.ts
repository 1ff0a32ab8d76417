import { expect, test } from "vitest";
import { db } from "@/lib/platform/db";
import { reportAsAgent } from "@/lib/testing/reports";
import { makeSite, send, type TestSite } from "@/lib/testing/world";

const NOW = new Date("2025-03-12T15:30:00Z");
const BOT = "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)";

const fetchReport = (site: TestSite, input: object = {}) =>
  reportAsAgent("analytics.journeys", site, { period: "7d", ...input }, NOW);

type Place = { kind: string; value: string | null };
const labelOf = ({ kind, value }: Place) => (kind === "page" ? value : kind === "event" ? `event:${value}` : kind);
interface JourneysAnswer {
  visits: number;
  paths: { steps: Place[]; visits: number; ended: boolean }[];
  transitions: { from: Place; to: Place; visits: number }[];
}
const paths = ({ paths }: JourneysAnswer) => paths.map(({ steps, visits }) => [steps.map(labelOf).join(" "), visits]);
const transitions = (journeys: JourneysAnswer) =>
  journeys.transitions.map(({ from, to, visits }) => [`${labelOf(from)} ${labelOf(to)}`, visits]).sort();

/** Sends the pages and events of one visit, one minute apart. */
async function visit(site: TestSite, who: number, what: string, sending: { at?: string; userAgent?: string } = {}) {
  const { at = "2025-03-12T09:00:00Z", ...more } = sending;
  for (const [minute, one] of what.split(" ").entries()) {
    const event = one.startsWith("/") ? one : { name: one, url: `https://${site.host}/` };
    await send(site, event, { at: new Date(Date.parse(at) + minute * 60_000), address: `198.51.100.${who}`, ...more });
  }
}

test("paths are sequences of pages with consecutive repeats collapsed, and transitions include exits", async () => {
  const site = await makeSite();
  await visit(site, 1, "/a /a /b Signup /a");
  await visit(site, 2, "/a /b /a");
  await visit(site, 3, "/a");
  await visit(site, 4, "/a /b /a /b /a");
  await visit(site, 5, "/a /b", { userAgent: BOT });
  const { journeys, events, comparison, meta } = await fetchReport(site);
  expect([events, comparison, meta.truncated]).toEqual([false, null, false]);
  expect(journeys).toHaveLength(1);
  expect(journeys[0]).toMatchObject({ who: "all", visits: 4 });
  expect(paths(journeys[0])).toEqual([
    ["/a /b /a", 2],
    ["/a", 1],
    ["/a /b /a /b /a", 1],
  ]);
  // A visit counts once per transition.
  expect(transitions(journeys[0])).toEqual([
    ["/a /b", 3],
    ["/a exit", 4],
    ["/b /a", 3],
  ]);
});

test("a path has at most ten steps, and ended is false if the visit continued", async () => {
  const site = await makeSite();
  await visit(site, 1, "/1 /2 /3 /4 /5 /6 /7 /8 /9 /10 /11");
  await visit(site, 2, "/1 /2 /3 /4 /5 /6 /7 /8 /9 /10");
  const [report] = (await fetchReport(site)).journeys;
  expect(report.paths.map(({ steps, ended }: JourneysAnswer["paths"][0]) => [steps.length, ended]).sort()).toEqual([
    [10, false],
    [10, true],
  ]);
  expect(transitions(report)).toContainEqual(["/10 exit", 1]);
});

test("any number of consecutive repeats is one step, and a repeated transition counts once per visit", async () => {
  const site = await makeSite();
  await visit(site, 1, `${"/a ".repeat(14)}/b`);
  await visit(site, 2, "/1 /2 /3 /1 /2 /4 /4 /5 /6 /7 /8 /9");
  const [report] = (await fetchReport(site)).journeys;
  expect(
    report.paths.map(({ steps, ended }: JourneysAnswer["paths"][0]) => [steps.map(labelOf).join(" "), ended]).sort(),
  ).toEqual([
    ["/1 /2 /3 /1 /2 /4 /5 /6 /7 /8", false],
    ["/a /b", true],
  ]);
  expect(transitions(report)).toEqual([
    ["/1 /2", 1],
    ["/2 /3", 1],
    ["/2 /4", 1],
    ["/3 /1", 1],
    ["/4 /5", 1],
    ["/5 /6", 1],
    ["/6 /7", 1],
    ["/7 /8", 1],
    ["/a /b", 1],
    ["/b exit", 1],
  ]);
});

test("a visit across the end of a month is one path, and hosts share their paths", async () => {
  const site = await makeSite();
  await db().siteDomain.create({ data: { siteId: site.id, host: `shop.${site.host}` } });
  await visit(site, 1, "/a /b", { at: "2025-02-28T22:59:30Z" });
  await visit(site, 2, "/a /b", { at: "2025-02-28T23:59:30Z" });
  await visit(site, 3, "/a", { at: "2025-03-01T09:00:00Z" });
  const seen = [`shop.${site.host}/b`, `${site.host}/b`, `shop.${site.host}/a`];
  for (const [minute, address] of seen.entries()) {
    const at = new Date(Date.parse("2025-03-01T10:00:00Z") + minute * 60_000);
    await send(site, { name: "pageview", url: `https://${address}` }, { at, address: "198.51.100.4" });
  }
  const range = { period: "custom", from: "2025-02-20", to: "2025-03-12" };
  expect(paths((await fetchReport(site, range)).journeys[0])).toEqual([
    ["/a /b", 2],
    ["/a", 1],
    ["/b /a", 1],
  ]);
});

test("with start, paths begin where a visit first reaches it, and other visits are left out", async () => {
  const site = await makeSite();
  await visit(site, 1, "/a /b /a /b /c");
  await visit(site, 2, "/a /c");
  await visit(site, 3, "/a Signup /b /b Help");
  expect(paths((await fetchReport(site, { start: "/b" })).journeys[0])).toEqual([
    ["/b", 1],
    ["/b /a /b /c", 1],
  ]);
  const from = await fetchReport(site, { start: "event:Signup" });
  expect([from.events, from.start]).toEqual([true, "event:Signup"]);
  expect(paths(from.journeys[0])).toEqual([["event:Signup /b event:Help", 1]]);
  expect((await fetchReport(site, { start: "/none" })).journeys[0]).toMatchObject({
    visits: 0,
    paths: [],
    transitions: [],
  });
});

test("with funnel, paths from its first step are split into finished and left visits", async () => {
  const site = await makeSite();
  await visit(site, 1, "/x /a /b /c");
  await visit(site, 2, "/a /d");
  await visit(site, 3, "/x /y");
  const { journeys, funnel } = await fetchReport(site, { funnel: "/a > /b" });
  expect(funnel).toMatchObject({ funnel_id: null, name: "/a > /b", window_minutes: 1440 });
  expect(journeys.map(({ who, visits }: { who: string; visits: number }) => [who, visits])).toEqual([
    ["finished", 1],
    ["left", 1],
  ]);
  expect(paths(journeys[0])).toEqual([["/a /b /c", 1]]);
  expect(paths(journeys[1])).toEqual([["/a /d", 1]]);
});

test("visits count when they started with their whole path, with filters and a comparison", async () => {
  const site = await makeSite();
  await visit(site, 1, "/a /b", { at: "2025-03-11T23:59:30Z" });
  await visit(site, 2, "/a /c");
  const today = await fetchReport(site, { period: "today", compare: "previous_period" });
  expect(paths(today.journeys[0])).toEqual([["/a /c", 1]]);
  expect(today.comparison[0].visits).toBe(0);
  const yesterday = await fetchReport(site, { period: "yesterday" });
  expect(paths(yesterday.journeys[0])).toEqual([["/a /b", 1]]);
  const narrowed = await fetchReport(site, { filters: JSON.stringify({ page: "/c" }) });
  expect(paths(narrowed.journeys[0])).toEqual([["/a /c", 1]]);
});

test("beyond 50 paths and 100 transitions the rest is summed as other", async () => {
  const site = await makeSite();
  for (let who = 1; who <= 52; who++) await visit(site, who, `/p${who} /q${who}`);
  const { journeys, meta } = await fetchReport(site);
  expect([meta.row_limit, meta.truncated]).toEqual([100, true]);
  expect(journeys[0].paths).toHaveLength(51);
  expect(journeys[0].paths[50]).toEqual({ steps: [{ kind: "other", value: null }], visits: 2, ended: false });
  expect(journeys[0].transitions).toHaveLength(101);
  expect(journeys[0].transitions[100].visits).toBe(4);
});

test("an invalid start and an unknown funnel are refused with the valid syntax", async () => {
  const site = await makeSite();
  const bad = await fetchReport(site, { start: "pricing" });
  expect([bad.code, bad.details.issues[0].path]).toEqual(["invalid_input", "start"]);
  expect(bad.message).toContain("event:<name>");
  expect((await fetchReport(site, { funnel: "None" })).code).toBe("not_found");
});
