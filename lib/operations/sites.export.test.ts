import { expect, test } from "vitest";
import { queryPublicSite } from "@/lib/gateway/execute";
import sitesActivity from "@/lib/operations/sites.activity";
import sitesExport from "@/lib/operations/sites.export";
import { db } from "@/lib/platform/db";
import { call, faults, makeMember, refused } from "@/lib/testing/calls";
import { exported } from "@/lib/testing/transfer";
import { callApi, makeClient, makePerson, makeSite, send, type TestSite } from "@/lib/testing/world";
import { COLUMNS } from "@/lib/transfer/line";

const NOW = new Date("2026-01-10T12:00:00Z");

const page = (site: TestSite, input: object = {}, personId = site.ownerId) =>
  call(personId, "sites.export", { site_id: site.id, ...input }, NOW);

/** Reads all pages. @returns the rows of each page. */
async function pages(site: TestSite, input: { limit: number }) {
  const all = [];
  let cursor: string | null = null;
  do {
    const answer: { rows: Record<string, unknown>[]; cursor: string | null } = await page(site, { ...input, cursor });
    all.push(answer.rows);
    cursor = answer.cursor;
  } while (cursor);
  return all;
}

/** Creates a site with events around the end of a month, three of them identical. */
async function siteWithEvents(): Promise<TestSite> {
  const site = await makeSite({ timezone: "Europe/Berlin" });
  await send(site, { name: "pageview", url: `https://${site.host}/a`, title: "=1+1" }, { at: "2025-03-31T21:59:59Z" });
  const play = { name: "Play", props: { level: 3 } };
  for (let copy = 0; copy < 3; copy++) await send(site, play, { at: "2025-03-31T22:00:00Z", address: "198.51.100.1" });
  await send(site, "/b", { at: "2025-04-01T21:59:59Z", address: "198.51.100.2" });
  await send(site, "/c", { at: "2025-07-01T12:00:00Z", address: "198.51.100.2" });
  return site;
}

test("pages of any size have exactly the rows, order and columns of the export file", async () => {
  const site = await siteWithEvents();
  const file = (await exported(site, NOW)).trim().split("\n");
  const lines = file.map((line) => JSON.parse(line));
  expect(lines).toHaveLength(6);
  expect(Object.keys(lines[0])).toEqual(COLUMNS);
  for (const [limit, sizes] of [
    [1, [1, 1, 1, 1, 1, 1]],
    [2, [2, 2, 2]],
    [4, [4, 2]],
    [6, [6]],
    [1000, [6]],
  ] as const) {
    const read = await pages(site, { limit });
    expect(read.map((rows) => rows.length)).toEqual(sizes);
    expect(read.flat()).toEqual(lines);
    expect(Object.keys(read[0]?.[0] ?? {})).toEqual(COLUMNS);
  }
});

test("from and to are inclusive local days, even with a cursor of another range", async () => {
  const site = await siteWithEvents();
  const paths = async (input: object) =>
    (await page(site, input)).rows.map(({ path, name }: { path: string; name: string }) => name ?? path);
  const april = { from: "2025-04-01", to: "2025-04-01" };
  expect(await paths(april)).toEqual(["Play", "Play", "Play", "/b"]);
  expect(await paths({ to: "2025-03-31" })).toEqual(["/a"]);
  expect(await paths({ from: "2025-04-02" })).toEqual(["/c"]);
  const { cursor } = await page(site, { limit: 1 });
  expect(await paths({ ...april, cursor })).toEqual(["Play", "Play", "Play", "/b"]);
  expect((await page(site, { ...april, limit: 4 })).cursor).toBeNull();
});

test("events of the last minute are left out until they are older", async () => {
  const site = await makeSite();
  await send(site, "/now", { at: new Date(NOW.getTime() - 59_000) });
  expect(await page(site)).toEqual({ rows: [], cursor: null });
  const later = new Date(NOW.getTime() + 1001);
  expect((await call(site.ownerId, "sites.export", { site_id: site.id }, later)).rows).toHaveLength(1);
});

test("a malformed cursor, an inverted range and too large a limit are refused by name", async () => {
  const site = await makeSite();
  expect(await faults(page(site, { cursor: "1; DROP" }))).toEqual(["cursor: must be the cursor of the previous page"]);
  expect(await faults(page(site, { from: "2025-03-02", to: "2025-03-01" }))).toEqual([
    "from: is after to (2025-03-01); swap them",
  ]);
  expect(await faults(page(site, { limit: 1001 }))).toEqual(["limit: must be at most 1000"]);
  expect(await faults(page(site, { from: "0001-01-01" }))).toEqual(["from: must be in the years 1970 to 2100"]);
});

test("only managers and their agents can export, and the audit log records each call", async () => {
  const site = await siteWithEvents();
  await db().site.update({ where: { id: site.id }, data: { public: true } });
  const [manager, viewer] = [await makeMember(site.id, "manager"), await makeMember(site.id, "viewer")];
  expect((await refused(page(site, {}, viewer)))?.code).toBe("role_denied");
  expect((await refused(page(site, {}, await makePerson())))?.code).toBe("site_not_granted");
  const anyone = queryPublicSite("203.0.113.7")(sitesExport, { input: { site_id: site.id }, now: NOW });
  expect((await refused(anyone))?.code).toBe("insufficient_scope");
  const activity = queryPublicSite("203.0.113.7")(sitesActivity, { input: { site_id: site.id }, now: NOW });
  expect((await refused(activity))?.code).toBe("insufficient_scope");
  const settings = await makeClient({ scopes: ["sites:read", "analytics:read"], sites: [site], personId: manager });
  const denied = await callApi("sites.export", { token: settings.token, input: { site_id: site.id } });
  expect([denied.status, denied.body.error.code]).toEqual([403, "insufficient_scope"]);
  expect(await db().audit.count({ where: { siteId: site.id } })).toBe(0);

  const agent = await makeClient({ scopes: ["events:read"], sites: [site], personId: manager });
  const read = await callApi("sites.export", { token: agent.token, input: { site_id: site.id, limit: 2 } });
  expect([read.status, read.body.data.rows.length]).toEqual([200, 2]);
  await page(site, {}, manager);
  const audit = await db().audit.findMany({ where: { siteId: site.id }, orderBy: { id: "asc" } });
  expect(audit).toMatchObject([
    { operation: "sites.export", clientId: agent.id, personId: manager, detail: { limit: 2, site_domain: site.host } },
    { operation: "sites.export", clientId: null, personId: manager, requestId: "test" },
  ]);
  expect(audit[0]?.requestId).toBe(read.body.request_id);
});
