import { expect, test } from "vitest";
import { db } from "@/lib/platform/db";
import { callApi, makeClient, makeSite, send, type TestSite } from "@/lib/testing/world";

const NOW = new Date("2025-03-12T15:30:00Z");
const BOT = "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)";

async function asked(site: TestSite, input: object = {}) {
  const { token } = await makeClient({ scopes: ["analytics:read"], sites: [site], personId: site.ownerId, now: NOW });
  const { body } = await callApi("analytics.journeys", {
    token,
    input: { site_id: site.id, period: "7d", ...input },
    now: NOW,
  });
  return body.data ?? body.error;
}

type Place = { kind: string; value: string | null };
const word = ({ kind, value }: Place) => (kind === "page" ? value : kind === "event" ? `event:${value}` : kind);
interface JourneysAnswer {
  visits: number;
  paths: { steps: Place[]; visits: number; ended: boolean }[];
  transitions: { from: Place; to: Place; visits: number }[];
}
const paths = ({ paths }: JourneysAnswer) => paths.map(({ steps, visits }) => [steps.map(word).join(" "), visits]);
const transitions = (told: JourneysAnswer) =>
  told.transitions.map(({ from, to, visits }) => [`${word(from)} ${word(to)}`, visits]).sort();

/** A minute between one thing and the next. */
async function visit(site: TestSite, who: number, what: string, sending: { at?: string; userAgent?: string } = {}) {
  const { at = "2025-03-12T09:00:00Z", ...more } = sending;
  for (const [minute, one] of what.split(" ").entries()) {
    const event = one.startsWith("/") ? one : { name: one, url: `https://${site.host}/` };
    await send(site, event, { at: new Date(Date.parse(at) + minute * 60_000), address: `198.51.100.${who}`, ...more });
  }
}

test("paths tell what was seen one after another, with repeats at once told once, and how visits went on or ended", async () => {
  const site = await makeSite();
  await visit(site, 1, "/a /a /b Signup /a");
  await visit(site, 2, "/a /b /a");
  await visit(site, 3, "/a");
  await visit(site, 4, "/a /b /a /b /a");
  await visit(site, 5, "/a /b", { userAgent: BOT });
  const { journeys, events, comparison, meta } = await asked(site);
  expect([events, comparison, meta.truncated]).toEqual([false, null, false]);
  expect(journeys).toHaveLength(1);
  expect(journeys[0]).toMatchObject({ who: "all", visits: 4 });
  expect(paths(journeys[0])).toEqual([
    ["/a /b /a", 2],
    ["/a", 1],
    ["/a /b /a /b /a", 1],
  ]);
  // A visit counts once for each transition, however often it made it.
  expect(transitions(journeys[0])).toEqual([
    ["/a /b", 3],
    ["/a exit", 4],
    ["/b /a", 3],
  ]);
});

test("a path has ten steps at most, and then says that the visit went on", async () => {
  const site = await makeSite();
  await visit(site, 1, "/1 /2 /3 /4 /5 /6 /7 /8 /9 /10 /11");
  await visit(site, 2, "/1 /2 /3 /4 /5 /6 /7 /8 /9 /10");
  const [told] = (await asked(site)).journeys;
  expect(told.paths.map(({ steps, ended }: JourneysAnswer["paths"][0]) => [steps.length, ended]).sort()).toEqual([
    [10, false],
    [10, true],
  ]);
  expect(transitions(told)).toContainEqual(["/10 exit", 1]);
});

test("what is looked at again and again is one step, however often, and a transition made twice counts once", async () => {
  const site = await makeSite();
  await visit(site, 1, `${"/a ".repeat(14)}/b`);
  await visit(site, 2, "/1 /2 /3 /1 /2 /4 /4 /5 /6 /7 /8 /9");
  const [told] = (await asked(site)).journeys;
  expect(
    told.paths.map(({ steps, ended }: JourneysAnswer["paths"][0]) => [steps.map(word).join(" "), ended]).sort(),
  ).toEqual([
    ["/1 /2 /3 /1 /2 /4 /5 /6 /7 /8", false],
    ["/a /b", true],
  ]);
  expect(transitions(told)).toEqual([
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

test("a visit over the end of a month is one way, and hosts share their paths", async () => {
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
  expect(paths((await asked(site, range)).journeys[0])).toEqual([
    ["/a /b", 2],
    ["/a", 1],
    ["/b /a", 1],
  ]);
});

test("from a start, paths begin where the visit first reaches it, and other visits are left out", async () => {
  const site = await makeSite();
  await visit(site, 1, "/a /b /a /b /c");
  await visit(site, 2, "/a /c");
  await visit(site, 3, "/a Signup /b /b Help");
  expect(paths((await asked(site, { start: "/b" })).journeys[0])).toEqual([
    ["/b", 1],
    ["/b /a /b /c", 1],
  ]);
  const from = await asked(site, { start: "event:Signup" });
  expect([from.events, from.start]).toEqual([true, "event:Signup"]);
  expect(paths(from.journeys[0])).toEqual([["event:Signup /b event:Help", 1]]);
  expect((await asked(site, { start: "/none" })).journeys[0]).toMatchObject({ visits: 0, paths: [], transitions: [] });
});

test("by a funnel, the paths of those who finished it and of those who left, from its first step on", async () => {
  const site = await makeSite();
  await visit(site, 1, "/x /a /b /c");
  await visit(site, 2, "/a /d");
  await visit(site, 3, "/x /y");
  const { journeys, funnel } = await asked(site, { funnel: "/a > /b" });
  expect(funnel).toMatchObject({ funnel_id: null, name: "/a > /b", window_minutes: 1440 });
  expect(journeys.map(({ who, visits }: { who: string; visits: number }) => [who, visits])).toEqual([
    ["finished", 1],
    ["left", 1],
  ]);
  expect(paths(journeys[0])).toEqual([["/a /b /c", 1]]);
  expect(paths(journeys[1])).toEqual([["/a /d", 1]]);
});

test("visits count where they began and are told whole, narrowed by filters, beside the range before", async () => {
  const site = await makeSite();
  await visit(site, 1, "/a /b", { at: "2025-03-11T23:59:30Z" });
  await visit(site, 2, "/a /c");
  const today = await asked(site, { period: "today", compare: "previous_period" });
  expect(paths(today.journeys[0])).toEqual([["/a /c", 1]]);
  expect(today.comparison[0].visits).toBe(0);
  const yesterday = await asked(site, { period: "yesterday" });
  expect(paths(yesterday.journeys[0])).toEqual([["/a /b", 1]]);
  const narrowed = await asked(site, { filters: JSON.stringify({ page: "/c" }) });
  expect(paths(narrowed.journeys[0])).toEqual([["/a /c", 1]]);
});

test("beyond fifty paths and a hundred transitions the rest is added up as other", async () => {
  const site = await makeSite();
  for (let who = 1; who <= 52; who++) await visit(site, who, `/p${who} /q${who}`);
  const { journeys, meta } = await asked(site);
  expect([meta.row_limit, meta.truncated]).toEqual([100, true]);
  expect(journeys[0].paths).toHaveLength(51);
  expect(journeys[0].paths[50]).toEqual({ steps: [{ kind: "other", value: null }], visits: 2, ended: false });
  expect(journeys[0].transitions).toHaveLength(101);
  expect(journeys[0].transitions[100].visits).toBe(4);
});

test("a start that is none and a funnel that is not there are refused with the way out", async () => {
  const site = await makeSite();
  const bad = await asked(site, { start: "pricing" });
  expect([bad.code, bad.details.issues[0].path]).toEqual(["invalid_input", "start"]);
  expect(bad.message).toContain("event:<name>");
  expect((await asked(site, { funnel: "None" })).code).toBe("not_found");
});
