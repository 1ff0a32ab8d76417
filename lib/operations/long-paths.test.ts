import { expect, test } from "vitest";
import { CALL_TIME, call, faults } from "@/lib/testing/calls";
import { postEvents, siteWithKey } from "@/lib/testing/measuring";
import { exported, imported } from "@/lib/testing/transfer";
import { callApi, makeClient, makeSite, send, type TestSite } from "@/lib/testing/world";

/** Paths of up to 2,048 characters are stored, reported and filtered in full. */

const AT = "2025-03-12T09:00:00Z";
const DAY = { from: "2025-03-12", to: "2025-03-12" };
const LONGEST = 2048;
/** They differ only in the last character. */
const [ONE, OTHER] = ["a", "b"].map((end) => `/${"p".repeat(LONGEST - 2)}${end}`) as [string, string];

const ask = (site: TestSite, operation: string, input: object = {}, now = CALL_TIME) =>
  call(site.ownerId, operation, { site_id: site.id, ...DAY, ...input }, now);

async function pages(site: TestSite, dimension = "page", filters = {}) {
  const input = { metrics: "visits", dimensions: dimension, sort: dimension, filters };
  const { rows } = await ask(site, "analytics.explore", input);
  return rows.map(({ values }: { values: string[] }) => values[0]);
}

async function paths(site: TestSite, start: string, now = CALL_TIME) {
  const { journeys } = await ask(site, "analytics.journeys", { start }, now);
  return journeys[0].paths.map(({ steps }: { steps: { value: string }[] }) => steps.map(({ value }) => value));
}

test("two paths of 2,048 characters that differ in the last are distinct in every report, filter and export", async () => {
  const site = await makeSite();
  await send(site, { name: "pageview", url: `https://${site.host}${ONE}` }, { at: AT });
  await send(site, { name: "pageview", path: OTHER }, { at: AT });
  expect(await pages(site)).toEqual([ONE, OTHER]);
  expect([await pages(site, "entry_page"), await pages(site, "exit_page")]).toEqual([[ONE], [OTHER]]);
  expect(await pages(site, "page", { page: OTHER })).toEqual([OTHER]);
  expect(await pages(site, "entry_page", { entry_page: OTHER })).toEqual([]);
  expect(await paths(site, ONE)).toEqual([[ONE, OTHER]]);
  expect(await paths(site, OTHER)).toEqual([[OTHER]]);
  const goal = await call(site.ownerId, "analytics.funnels", { site_id: site.id, ...DAY, funnel: "/* > /p*b" });
  expect(goal.funnels[0].steps.map(({ visitors }: { visitors: number }) => visitors)).toEqual([1, 1]);
  const file = await exported(site, CALL_TIME);
  expect(file.split("\n").flatMap((line) => (line ? [JSON.parse(line).path] : []))).toEqual([ONE, OTHER]);

  const copy = await makeSite();
  await imported(copy, file);
  expect(await pages(copy)).toEqual([ONE, OTHER]);
  const later = new Date("2025-03-20T12:00:00Z");
  expect(await paths(copy, OTHER, later)).toEqual([[OTHER]]);
});

test("analytics.journeys accepts a start of 2,048 characters over HTTP and refuses 2,049", async () => {
  const site = await makeSite();
  await send(site, ONE, { at: AT });
  const { token } = await makeClient({
    scopes: ["analytics:read"],
    sites: [site],
    personId: site.ownerId,
    now: CALL_TIME,
  });
  const input = { site_id: site.id, ...DAY, start: ONE };
  const answer = await callApi("analytics.journeys", { token, input, now: CALL_TIME });
  expect([answer.status, answer.body.data.journeys[0].visits]).toEqual([200, 1]);
  const filters = JSON.stringify({ page: ONE });
  const filtered = await callApi("analytics.overview", {
    token,
    input: { site_id: site.id, ...DAY, filters },
    now: CALL_TIME,
  });
  expect(filtered.body.data.metrics).toMatchObject({ pageviews: 1 });
  expect(await faults(ask(site, "analytics.journeys", { start: `${ONE}x` }))).toEqual([
    "start: must have at most 2048 characters",
  ]);
});

test("both endpoints cut longer paths to 2,048 characters, never within a character, and so does start", async () => {
  const { site, key } = await siteWithKey();
  const tooLong = `${ONE}x`;
  await send(site, { name: "pageview", url: `https://${site.host}${tooLong}` }, { at: AT });
  expect(await pages(site)).toEqual([ONE]);
  await send(site, { name: "pageview", path: tooLong }, { at: AT });
  expect(await pages(site)).toEqual([ONE]);

  // 2,048 letters of two bytes are 12,283 characters when percent-encoded.
  const letters = `/${"é".repeat(LONGEST - 1)}`;
  const stored = `/${"%C3%A9".repeat(341)}`;
  const context = { page: { url: `https://${site.host}${letters}` }, session_id: "s-1" };
  const { body } = await postEvents([{ type: "page", context }], { key, at: AT });
  expect(body.counts).toMatchObject({ stored: 1 });
  expect(await pages(site)).toEqual([stored, ONE]);
  expect(await paths(site, letters)).toEqual([[stored]]);
  expect(await faults(ask(site, "analytics.journeys", { start: `${letters.slice(0, -1)}*` }))).toEqual([
    expect.stringContaining("start: must have at most 2048 characters, percent-encoded"),
  ]);

  // A screen is stored as a page with the path of its name.
  const name = "画".repeat(255);
  await postEvents([{ type: "screen", name, context: { session_id: "s-2" } }], { key, at: AT });
  expect(await paths(site, `/${name}`)).toEqual([[`/${"%E7%94%BB".repeat(227)}`]]);
});

test("an import stores paths of 2,048 characters of any script, encoded and cut, and refuses longer ones by line and field", async () => {
  const site = await makeSite();
  await send(site, "/plain", { at: AT });
  const [line = ""] = (await exported(site, CALL_TIME)).split("\n");
  const withPath = (path: string) => JSON.stringify({ ...JSON.parse(line), path });
  for (const [path, stored] of [
    [`/${"é".repeat(LONGEST - 1)}`, `/${"%C3%A9".repeat(341)}`],
    [`/a${"😀".repeat(1023)}`, `/a${"%F0%9F%98%80".repeat(170)}`],
  ] as const) {
    const copy = await makeSite();
    expect(await imported(copy, withPath(path))).toEqual({ lines: 1, added: 1 });
    expect(await imported(copy, withPath(path))).toEqual({ lines: 1, added: 0 });
    expect(await pages(copy)).toEqual([stored]);
    expect(await pages(copy, "page", { page: path })).toEqual([stored]);
    expect(await exported(copy, CALL_TIME)).toContain(stored);
  }
  const copy = await makeSite();
  await expect(imported(copy, withPath(`/${"é".repeat(LONGEST)}`))).rejects.toThrow(
    "Line 1: path: must have at most 2048 characters",
  );
});

test("a start has at most 100 wildcards, because more would be slow to match against long paths", async () => {
  const site = await makeSite();
  await send(site, `/${"ab".repeat(100)}`, { at: AT });
  expect(await paths(site, `/${"*b".repeat(100)}`)).toEqual([[`/${"ab".repeat(100)}`]]);
  expect(await faults(ask(site, "analytics.journeys", { start: `/${"*b".repeat(101)}` }))).toEqual([
    expect.stringContaining("start: must contain * at most 100 times"),
  ]);
});
