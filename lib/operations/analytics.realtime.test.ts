import { randomUUID } from "node:crypto";
import pg from "pg";
import { expect, inject, test } from "vitest";
import { writeCursor } from "@/lib/analytics/reports/event-log";
import { execute } from "@/lib/gateway/execute";
import { reclassifySite } from "@/lib/ingest/store/reclassify";
import { takeNumbers } from "@/lib/ingest/store/sequence";
import { writer } from "@/lib/ingest/store/writer";
import realtime from "@/lib/operations/analytics.realtime";
import { db } from "@/lib/platform/db";
import { MINUTE_MS } from "@/lib/platform/durations";
import { asOwner } from "@/lib/testing/reports";
import { rowsOf } from "@/lib/testing/rows";
import { callApi, makeClient, makeSite, send, type TestSite } from "@/lib/testing/world";

const NOW = "2025-03-12T15:30:20Z";
const ago = (minutes: number, now = NOW) => new Date(Date.parse(now) - minutes * MINUTE_MS);

const ask = async (site: TestSite, input: object = {}, now: Date | string = NOW) =>
  (await execute(realtime, asOwner(site, input, now))).data;

const from = (site: TestSite, path: string, referrer?: string) => ({
  name: "pageview",
  url: `https://${site.host}${path}`,
  title: `Title of ${path}`,
  ...(referrer && { referrer }),
});

test("visitors active within five minutes are current, and the last thirty minutes have no gaps", async () => {
  const site = await makeSite({ timezone: "Asia/Kathmandu" });
  await send(site, from(site, "/old"), { at: ago(31), address: "10.0.0.1" });
  await send(site, from(site, "/", "https://www.google.com/"), { at: ago(12), address: "10.0.0.2" });
  await send(site, from(site, "/a"), { at: ago(4), address: "10.0.0.2" });
  await send(site, from(site, "/a"), { at: ago(4), address: "10.0.0.3" });
  await send(site, from(site, "/b"), { at: ago(0), address: "10.0.0.3" });
  await send(site, { name: "Signup", path: "/b" }, { at: ago(0), address: "10.0.0.3" });
  await send(site, from(site, "/gone"), { at: ago(5), address: "10.0.0.4" });
  const { visitors, minutes, pages, sources, meta } = await ask(site);
  expect(visitors).toBe(2);
  expect(minutes).toHaveLength(30);
  expect(minutes.at(-1)).toEqual({ start: "2025-03-12T15:30:00.000Z", visitors: 1, pageviews: 1 });
  expect(minutes.at(-5)).toMatchObject({ visitors: 2, pageviews: 2 });
  expect(minutes.reduce((sum, { pageviews }) => sum + pageviews, 0)).toBe(5);
  expect(pages).toEqual([
    { value: "/a", visitors: 2 },
    { value: "/b", visitors: 1 },
  ]);
  expect(sources).toEqual([
    { value: "Google", visitors: 1 },
    { value: null, visitors: 1 },
  ]);
  expect(meta).toMatchObject({ from: "2025-03-12", to: "2025-03-12", timezone: "Asia/Kathmandu", partial: true });
});

test("an event has its page, source and device, and events of one visit share an opaque id", async () => {
  const site = await makeSite();
  await send(site, from(site, "/", "https://www.google.com/"), { at: ago(3), address: "10.0.0.2" });
  await send(site, { name: "Signup", path: "/" }, { at: ago(2), address: "10.0.0.2" });
  await send(site, from(site, "/"), { at: ago(1), address: "10.0.0.3" });
  const { events, meta } = await ask(site);
  expect(events.map(({ type, name, page, source }) => [type, name, page, source])).toEqual([
    ["pageview", null, "/", "Google"],
    ["event", "Signup", "/", "Google"],
    ["pageview", null, "/", null],
  ]);
  expect(events[0]).toMatchObject({ time: ago(3).toISOString(), title: "Title of /", device: "Desktop" });
  const [first, second, third] = events.map(({ visit }) => visit);
  expect([first === second, first === third, meta.truncated]).toEqual([true, false, false]);
});

test("a cursor returns later events once, with filters and the traffic filter applied", async () => {
  const site = await makeSite();
  await send(site, from(site, "/1"), { at: ago(3), address: "10.0.0.1" });
  const first = await ask(site);
  expect(first.events.map(({ page }) => page)).toEqual(["/1"]);
  await send(site, from(site, "/2"), { at: ago(2), address: "10.0.0.2" });
  await send(site, from(site, "/3", "https://www.google.com/"), { at: ago(1), address: "10.0.0.3" });
  await send(site, from(site, "/4"), { at: ago(0), address: "10.0.0.4", userAgent: "Googlebot/2.1" });
  const paths = async (input: object) => (await ask(site, input)).events.map(({ page }) => page);
  expect(await paths({ since: first.cursor })).toEqual(["/2", "/3"]);
  expect(await paths({ since: first.cursor, traffic: "all" })).toEqual(["/2", "/3", "/4"]);
  expect(await paths({ since: first.cursor, filters: { source: "Google" } })).toEqual(["/3"]);
  expect(await paths({ since: first.cursor, filters: { entry_page: "/2" } })).toEqual(["/2"]);
  const second = await ask(site, { since: first.cursor });
  expect(await paths({ since: second.cursor })).toEqual([]);
});

test("the comparison is the same minutes of the previous day", async () => {
  const site = await makeSite();
  const yesterday = (minutes: number) => new Date(ago(minutes).getTime() - 24 * 60 * MINUTE_MS);
  await send(site, from(site, "/"), { at: yesterday(20), address: "10.0.0.1" });
  await send(site, from(site, "/"), { at: yesterday(2), address: "10.0.0.2" });
  const { visitors, comparison, meta } = await ask(site, { compare: "previous_period" });
  expect([visitors, comparison?.visitors, comparison?.minutes.length]).toEqual([0, 1, 30]);
  expect(comparison?.minutes.reduce((sum, minute) => sum + minute.visitors, 0)).toBe(2);
  expect(meta.compare).toMatchObject({ from: "2025-03-11", to: "2025-03-11" });
});

test("half an hour with a clock change is compared with half an hour", async () => {
  const site = await makeSite({ timezone: "Antarctica/Troll" });
  for (const at of ["2025-03-29T00:40:00Z", "2025-03-29T01:04:00Z"]) {
    await send(site, from(site, "/"), { at, address: "10.0.0.1" });
  }
  // 1:00 became 3:00: by local time, the comparison would be 0:30 to 3:00.
  const { comparison } = await ask(site, { compare: "previous_period" }, "2025-03-30T01:00:00Z");
  const seen = comparison?.minutes.filter(({ pageviews, visitors }) => pageviews + visitors > 0);
  expect(seen).toEqual([{ start: "2025-03-29T00:40:00.000Z", visitors: 1, pageviews: 1 }]);
});

test("a cursor that is malformed, of another site, too old or of another database is refused with a way to proceed", async () => {
  const [site, other] = [await makeSite(), await makeSite()];
  const { token } = await makeClient({
    scopes: ["analytics:read"],
    sites: [site],
    personId: site.ownerId,
    now: new Date(NOW),
  });
  const requestSince = (since: string) =>
    callApi("analytics.realtime", { token, input: { site_id: site.id, since }, now: new Date(NOW) });
  const { cursor: foreign } = await ask(other);
  const { cursor: old } = await ask(site, {}, ago(24 * 60 + 1));
  const { cursor: good } = await ask(site, {}, ago(24 * 60 - 1));
  const restored = writeCursor(site.id, { seq: 9_000_000_000, at: Date.parse(NOW) });
  for (const since of ["1:1:", "%", foreign, old, restored, "a".repeat(30_000)]) {
    const { status, body } = await requestSince(since);
    expect([status, body.error.code, body.error.details.issues[0].path]).toEqual([422, "invalid_input", "since"]);
    expect(body.error.message).toContain("leave it out");
  }
  expect((await requestSince(good)).status).toBe(200);
});

/** Follows the log from a cursor to its end. @returns the names of the events. */
async function follow(
  site: TestSite,
  start: string,
  { traffic = "human", now = NOW } = {},
): Promise<{ names: string[]; cursor: string }> {
  const names: string[] = [];
  let cursor = start;
  for (;;) {
    const answer = await ask(site, { since: cursor, traffic }, now);
    names.push(...answer.events.map(({ name }) => name ?? ""));
    cursor = answer.cursor;
    if (!answer.meta.truncated) return { names, cursor };
  }
}

test("more events than fit into one response are paged, even with hundreds at the same time", async () => {
  const site = await makeSite();
  let { cursor } = await ask(site);
  const names = Array.from({ length: 650 }, (_, index) => `Event ${index}`);
  await Promise.all(
    names.map((name, index) =>
      send(site, { name, path: "/" }, { at: ago(index < 500 ? 2 : 1), address: `10.0.0.${index % 50}` }),
    ),
  );
  const seen: string[] = [];
  const sizes: number[] = [];
  for (let more = true; more; ) {
    const answer = await ask(site, { since: cursor });
    // An event that arrives between two pages is on the last one.
    if (sizes.length === 1) await send(site, { name: "Meanwhile", path: "/" }, { at: ago(2), address: "10.0.0.1" });
    seen.push(...answer.events.map(({ name }) => name ?? ""));
    sizes.push(answer.events.length);
    ({ cursor } = answer);
    more = answer.meta.truncated === true || answer.events.length > 0;
  }
  expect(sizes).toEqual([200, 200, 200, 51, 0]);
  expect(seen.toSorted()).toEqual([...names, "Meanwhile"].toSorted());
});

test("polling returns each event exactly once while transactions write, wait for each other and roll back", async () => {
  const site = await makeSite();
  const now = new Date().toISOString();
  await send(site, from(site, "/"), { at: ago(10, now) });
  const committed: string[] = [];
  const write = async (writer: number) => {
    const client = new pg.Client({ connectionString: inject("databaseUrl") });
    await client.connect();
    for (let transaction = 0; transaction < 12; transaction++) {
      const names = Array.from({ length: 1 + ((writer + transaction) % 4) }, () => randomUUID());
      await client.query("BEGIN");
      // Arrival times lie in any order up to ten minutes back, and the row goes through the partitioned parent.
      for (const [index, name] of names.entries()) {
        await client.query(takeNumbers(new Map([[site.id, 1]])));
        await client.query(INSERT, [site.id, name, ago((index * 7 + writer * 3 + transaction) % 10, now)]);
      }
      const commits = (writer * 5 + transaction) % 6 > 0;
      await client.query(commits ? "COMMIT" : "ROLLBACK");
      if (commits) committed.push(...names);
    }
    await client.end();
  };
  const polled: string[] = [];
  let { cursor } = await ask(site, {}, now);
  const poll = async () => {
    const answer = await follow(site, cursor, { now });
    polled.push(...answer.names);
    ({ cursor } = answer);
  };
  let isWriting = true;
  const written = Promise.all(Array.from({ length: 6 }, (_, writer) => write(writer))).finally(() => {
    isWriting = false;
  });
  while (isWriting) await poll();
  await written;
  await poll();
  expect(committed.length).toBeGreaterThan(100);
  expect(polled.toSorted()).toEqual(committed.toSorted());
});

const INSERT = `
  WITH word AS (INSERT INTO facts.name (site_id, first_seen, name) VALUES ($1, '2025-03-12', $2) RETURNING id)
  INSERT INTO facts.event (site_id, ts, visit_id, visitor_id, name, page, referrer, campaign, place, agent, type, traffic, seq)
  SELECT $1, $3, 1, 1, id, 0, 0, 0, 0, 0, 2, 1, (SELECT last FROM facts.site_sequence WHERE site_id = $1) FROM word`;

test("events ingested while a reader polls are returned exactly once, even after a reclassification", async () => {
  const site = await makeSite();
  let { cursor } = await ask(site);
  const names = Array.from({ length: 300 }, (_, index) => `Event ${index}`);
  const polled: string[] = [];
  const sent = Promise.all(
    names.map((name, index) =>
      send(site, { name, path: "/" }, { at: ago((index % 9) + 1), address: `10.0.1.${index % 90}` }),
    ),
  );
  let done = false;
  sent.finally(() => {
    done = true;
  });
  while (!done) {
    const answer = await follow(site, cursor);
    polled.push(...answer.names);
    ({ cursor } = answer);
  }
  await writer.drain();
  await db().$executeRaw`
    WITH verdict AS (
      INSERT INTO facts.verdict (site_id, first_seen, traffic, reason, bot, operator, purpose, verified, version)
      VALUES (${site.id}, '2025-03-04', 'bot', 'robot_words', 'GPTBot', '', '', '', 'old') RETURNING id)
    UPDATE facts.visit SET verdict = verdict.id FROM verdict WHERE site_id = ${site.id}`;
  await reclassifySite(site.id, new Date(NOW));
  polled.push(...(await follow(site, cursor, { traffic: "all" })).names);
  const [moved] = await rowsOf<object[]>`
    SELECT DISTINCT traffic FROM facts.event WHERE site_id = ${site.id}`;
  expect(moved).toEqual({ traffic: 3 });
  expect(polled.toSorted()).toEqual(names.toSorted());
});
