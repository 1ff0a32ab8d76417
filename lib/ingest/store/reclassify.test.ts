import { expect, test } from "vitest";
import { VERSION } from "@/lib/ingest/enrich/classify";
import { outdatedSites, reclassifySite } from "@/lib/ingest/store/reclassify";
import { db } from "@/lib/platform/db";
import { rowsOf } from "@/lib/testing/rows";
import { makeSite, send, type TestSite } from "@/lib/testing/world";

const NOW = new Date("2025-03-05T12:00:00Z");
const GPTBOT = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)";
const from = (site: TestSite, referrer: string) => ({ name: "pageview", url: `https://${site.host}/`, referrer });
const at = (hour: number) => `2025-03-04T${10 + hour}:00:00Z`;

/** The class and reason of every event and visit, in order of time. */
const stored = (site: TestSite) =>
  rowsOf<Record<string, unknown>[]>`
    SELECT event.traffic AS event, visit.traffic AS visit, reason, bot, operator, version FROM facts.event AS event
    JOIN facts.visit AS visit ON visit.site_id = event.site_id AND visit.visit_id = event.visit_id
    LEFT JOIN facts.verdict AS verdict ON verdict.site_id = visit.site_id AND verdict.id = visit.verdict
    WHERE event.site_id = ${site.id} ORDER BY seq`;

/** Sets the class of all events and visits of a site, as an older version of the lists would have. */
async function setClass(site: TestSite, traffic: number): Promise<void> {
  await db().$executeRaw`UPDATE facts.event SET traffic = ${traffic} WHERE site_id = ${site.id}`;
  await db().$executeRaw`UPDATE facts.visit SET traffic = ${traffic} WHERE site_id = ${site.id}`;
}

/** Sets the verdict of all visits of a site, as an older version of the lists would have. */
async function setVerdict(
  site: TestSite,
  old: { traffic: string; reason: string; bot: string },
  version = "old",
): Promise<void> {
  await db().$executeRaw`
    WITH verdict AS (
      INSERT INTO facts.verdict (site_id, first_seen, traffic, reason, bot, operator, purpose, verified, version)
      VALUES (${site.id}, '2025-03-04', ${old.traffic}, ${old.reason}, ${old.bot}, '', '', '', ${version}) RETURNING id)
    UPDATE facts.visit SET verdict = verdict.id FROM verdict WHERE site_id = ${site.id}`;
}

test("a robot on a newer list gets its class, operator and reason, in visits and events of every chunk", async () => {
  const site = await makeSite();
  for (const hour of [0, 2, 4, 6, 8]) await send(site, "/", { at: at(hour), userAgent: GPTBOT });
  await send(site, { name: "Read" }, { at: at(8), userAgent: GPTBOT });
  await setClass(site, 2);
  await setVerdict(site, { traffic: "bot", reason: "robot_words", bot: "GPTBot" });
  await reclassifySite(site.id, NOW, 2);
  const all = await stored(site);
  expect(all).toHaveLength(6);
  for (const row of all) {
    expect(row).toEqual({
      event: 3,
      visit: 3,
      reason: "ai_agent",
      bot: "GPTBot",
      operator: "OpenAI",
      version: VERSION,
    });
  }
});

test("a listed robot whose name is only a word to the newer lists keeps its verdict, and one without a name its class", async () => {
  const [signed, nameless] = [await makeSite(), await makeSite()];
  for (const site of [signed, nameless]) await send(site, "/", { at: at(0), userAgent: GPTBOT });
  await setClass(signed, 3);
  await setVerdict(signed, { traffic: "ai", reason: "ai_agent", bot: "Example Agent" });
  await setClass(nameless, 2);
  await setVerdict(nameless, { traffic: "bot", reason: "robot_words", bot: "" });
  for (const { id } of [signed, nameless]) await reclassifySite(id, NOW);
  expect(await stored(signed)).toMatchObject([
    { visit: 3, reason: "ai_agent", bot: "Example Agent", version: VERSION },
  ]);
  expect(await stored(nameless)).toMatchObject([{ visit: 2, reason: "robot_words", bot: "", version: VERSION }]);
});

test("visits of a new spam domain become spam, and those of a removed one become human", async () => {
  const [site, cleared] = [await makeSite(), await makeSite()];
  await send(site, from(site, "https://semalt.com/x"), { at: at(0) });
  await setClass(site, 1);
  await db().$executeRaw`UPDATE facts.visit SET verdict = 0 WHERE site_id = ${site.id}`;
  await send(site, from(site, "https://news.example/"), { at: at(2) });
  await send(cleared, from(cleared, "https://semalt.com/x"), { at: at(0) });
  await setVerdict(cleared, { traffic: "spam", reason: "spam_referrer", bot: "honest.example" });
  await db().$executeRaw`UPDATE facts.referrer SET url = 'honest.example/x' WHERE site_id = ${cleared.id}`;
  await reclassifySite(site.id, NOW);
  await reclassifySite(cleared.id, NOW);
  expect(await stored(site)).toMatchObject([
    { event: 4, visit: 4, reason: "spam_referrer", bot: "semalt.com" },
    { event: 1, visit: 1, reason: null },
  ]);
  expect(await stored(cleared)).toMatchObject([{ event: 1, visit: 1, reason: null }]);
});

test("robots from before reasons were stored get their reason by name", async () => {
  const site = await makeSite();
  await send(site, "/", { at: at(0), userAgent: GPTBOT });
  await setClass(site, 2);
  await db().$executeRaw`UPDATE facts.visit SET verdict = 0 WHERE site_id = ${site.id}`;
  await reclassifySite(site.id, NOW);
  expect(await stored(site)).toMatchObject([{ event: 3, visit: 3, reason: "ai_agent" }]);
});

/** The spans that copies have to read again. */
const spansOf = (site: TestSite) =>
  rowsOf<{ start: Date; end: Date }[]>`
    SELECT start, "end" FROM facts.change WHERE site_id = ${site.id} AND start < "end" ORDER BY seq`;

test("copies read again only the days whose visits got another class or verification", async () => {
  const [same, other, verified] = [await makeSite(), await makeSite(), await makeSite()];
  for (const site of [same, other, verified]) {
    for (const day of ["01", "05", "09"]) {
      await send(site, "/", { at: `2025-03-${day}T10:00:00Z`, userAgent: GPTBOT });
    }
  }
  for (const site of [same, other, verified])
    await setVerdict(site, { traffic: "ai", reason: "ai_agent", bot: "GPTBot" });
  await db().$executeRaw`UPDATE facts.verdict SET verified = 'claimed' WHERE site_id IN (${same.id}, ${other.id})`;
  await db().$executeRaw`
    UPDATE facts.visit SET traffic = 2 WHERE site_id = ${other.id} AND started < '2025-03-02T00:00:00Z'`;
  for (const { id } of [same, other, verified]) await reclassifySite(id, NOW);
  expect(await spansOf(same)).toEqual([]);
  const [span, ...more] = await spansOf(other);
  expect(more).toEqual([]);
  expect(span?.start.toISOString()).toBe("2025-03-01T09:00:00.000Z");
  expect(span && span.end < new Date("2025-03-04")).toBe(true);
  expect(await spansOf(verified)).toHaveLength(3);
  for (const site of [same, other, verified]) {
    expect((await stored(site)).map(({ version }) => version)).toEqual(Array(3).fill(VERSION));
  }
  const [all] = await rowsOf<{ count: number }[]>`SELECT count(*)::int FROM facts.change WHERE site_id = ${same.id}`;
  // An empty span: the dictionaries know what is new about robots.
  expect(all?.count).toBe(1);
});

test("verdicts from request headers stay, and reclassifying twice changes nothing", async () => {
  const site = await makeSite();
  const headers = { origin: `https://${site.host}` };
  await send(site, "/", { at: at(0), headers });
  await setVerdict(site, { traffic: "suspicious", reason: "no_language", bot: "" });
  await send(site, "/", { at: at(2), headers: { ...headers, "accept-language": "en" } });
  await reclassifySite(site.id, NOW);
  const once = await stored(site);
  expect(once).toMatchObject([
    { event: 5, visit: 5, reason: "no_language", version: VERSION },
    { event: 1, visit: 1, reason: null },
  ]);
  await reclassifySite(site.id, NOW);
  expect(await stored(site)).toEqual(once);
  const done = await rowsOf`SELECT version FROM facts.reclassified WHERE site_id = ${site.id}`;
  expect(done).toEqual([{ version: VERSION }]);
});

test("verdicts and the mark of a newer edition stay; those of an older edition are reclassified", async () => {
  const [newer, older] = [await makeSite(), await makeSite()];
  const as = { traffic: "bot", reason: "robot_words", bot: "GPTBot" };
  for (const [site, version] of [
    [newer, "2999-01-01: lists to come"],
    [older, "2020-01-01.1: lists of once"],
  ] as const) {
    await send(site, "/", { at: at(0), userAgent: GPTBOT });
    await setClass(site, 2);
    await setVerdict(site, as, version);
    await db().$executeRaw`INSERT INTO facts.reclassified (site_id, version) VALUES (${site.id}, ${version})`;
  }
  const outdated = await outdatedSites();
  expect([newer, older].map(({ id }) => outdated.includes(id))).toEqual([false, true]);
  // A run that started before the newer edition must not change its verdicts either.
  for (const site of [newer, older]) await reclassifySite(site.id, NOW);
  expect(await stored(newer)).toMatchObject([
    { event: 2, visit: 2, reason: "robot_words", version: "2999-01-01: lists to come" },
  ]);
  expect(await stored(older)).toMatchObject([{ event: 3, visit: 3, reason: "ai_agent", version: VERSION }]);
  const marks = await rowsOf`
    SELECT version FROM facts.reclassified WHERE site_id IN (${newer.id}, ${older.id}) ORDER BY site_id`;
  expect(marks).toEqual([{ version: "2999-01-01: lists to come" }, { version: VERSION }]);
  expect(await outdatedSites()).not.toContain(older.id);
});
