import { expect, test } from "vitest";
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
  flows: { step: number; from: Place; to: Place; visits: number }[];
}
const flows = (journeys: JourneysAnswer) =>
  journeys.flows.map(({ step, from, to, visits }) => [`${step} ${labelOf(from)} ${labelOf(to)}`, visits]);
const paths = ({ paths }: JourneysAnswer) => paths.map(({ steps, visits }) => [steps.map(labelOf).join(" "), visits]);
const transitions = (journeys: JourneysAnswer) =>
  journeys.transitions.map(({ from, to, visits }) => [`${labelOf(from)} ${labelOf(to)}`, visits]).sort();

/** Sends the pages and events of one visit, one minute apart. */
async function visit(site: TestSite, who: number, what: string, sending: { userAgent?: string } = {}) {
  for (const [minute, one] of what.split(" ").entries()) {
    const event = one.startsWith("/") ? one : { name: one, url: `https://${site.host}/` };
    await send(site, event, { at: `2025-03-12T09:0${minute}:00Z`, address: `198.51.100.${who}`, ...sending });
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

test("flows follow all visits through five steps, and fold the rare places of a step into other", async () => {
  const site = await makeSite();
  await visit(site, 1, "/a /b /c /d /e /f");
  await visit(site, 2, "/a /b");
  for (const [index, page] of ["/g", "/h", "/i", "/j", "/k", "/l"].entries())
    await visit(site, 10 + index, `${page} /b`);
  const { journeys } = await fetchReport(site);
  expect(flows(journeys[0])).toEqual([
    ["1 /a /b", 2],
    ["1 /g /b", 1],
    ["1 /h /b", 1],
    ["1 /i /b", 1],
    ["1 /j /b", 1],
    ["1 /k /b", 1],
    ["1 other /b", 1],
    ["2 /b exit", 7],
    ["2 /b /c", 1],
    ["3 /c /d", 1],
    ["4 /d /e", 1],
  ]);
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
