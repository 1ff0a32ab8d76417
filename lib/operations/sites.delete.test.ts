import { expect, test } from "vitest";
import { flushIngestStats } from "@/lib/ingest/store/ingest-stats";
import { flushLiveWindows } from "@/lib/ingest/store/live-window";
import { db } from "@/lib/platform/db";
import { ingestPool } from "@/lib/platform/pool";
import { purgeSites } from "@/lib/sites/purge";
import { startTrackingTest } from "@/lib/sites/tracking-tests";
import { call, makeMember, refused, summaryOf } from "@/lib/testing/calls";
import { makeSite, send, type TestSite } from "@/lib/testing/world";

const TABLES = [
  "event",
  "visit",
  "event_key",
  "page_key",
  "returning_visitor",
  "page",
  "referrer",
  "campaign",
  "place",
  "agent",
  "name",
  "intake",
  "tracking_event",
  "tracking_count",
];

/** Returns the number of rows of a site in each fact table. */
async function rowsOf(siteId: number): Promise<Record<string, number>> {
  const counts = await Promise.all(
    TABLES.map(async (table) => {
      const { rows } = await ingestPool().query(`SELECT count(*)::int AS n FROM facts.${table} WHERE site_id = $1`, [
        siteId,
      ]);
      return [table, rows[0].n] as const;
    }),
  );
  return Object.fromEntries(counts);
}
const NOTHING = Object.fromEntries(TABLES.map((table) => [table, 0]));

const later = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000);
const remove = (site: TestSite, now: Date) => call(site.ownerId, "sites.delete", { site_id: site.id }, now);

/** Runs the purge until the site is done: a concurrent test may have started purging it. */
async function purged(site: TestSite, at: Date): Promise<void> {
  do await purgeSites(at);
  while ((await db().sitePurge.count({ where: { siteId: site.id } })) > 0);
}

/** Sends events that store a row in every table. */
async function fill(site: TestSite, at: string): Promise<void> {
  await db().site.update({ where: { id: site.id }, data: { retentionSalt: true } });
  await startTrackingTest(db(), site.id, new Date(at));
  const url = `https://${site.host}/?utm_source=news&utm_medium=email`;
  await send(site, { name: "pageview", url, referrer: "https://www.google.com/", event_id: "abcdefghijkl" }, { at });
  const page = { at, headers: { origin: `https://${site.host}` } };
  await send(site, { name: "Play", event_id: "1__22__333__4444" }, page);
  await Promise.all([flushIngestStats(), flushLiveWindows()]);
}

test("a deleted site is immediately inaccessible, and its domain is available again", async () => {
  const site = await makeSite();
  const now = new Date("2025-03-12T12:00:00Z");
  expect(await remove(site, now)).toEqual({ site_id: site.id, domain: site.host, deleted: true });
  expect((await refused(call(site.ownerId, "sites.settings.get", { site_id: site.id })))?.code).toBe(
    "site_not_granted",
  );
  expect(await call(site.ownerId, "sites.list", {})).toMatchObject({ total: 0 });
  const again = await call(site.ownerId, "sites.create", { domain: site.host, timezone: "UTC", public: false });
  expect(again.site_id).not.toBe(site.id);
  expect(await db().sitePurge.findUnique({ where: { siteId: site.id } })).toEqual({
    siteId: site.id,
    requestedAt: now,
  });
});

test("salts, members and domains are deleted together with the site", async () => {
  const site = await makeSite();
  await makeMember(site.id, "viewer");
  await send(site, "/", { at: new Date() });
  expect(await db().siteSalt.count({ where: { siteId: site.id } })).toBe(1);
  await remove(site, new Date("2025-03-12T12:00:00Z"));
  const where = { where: { siteId: site.id } };
  const left = [db().siteSalt.count(where), db().membership.count(where), db().siteDomain.count(where)];
  expect(await Promise.all(left)).toEqual([0, 0, 0]);
});

test("one minute after the deletion all data of the site is deleted, and no data of other sites", async () => {
  const [site, other] = [await makeSite(), await makeSite()];
  for (const one of [site, other]) await fill(one, "2025-04-02T10:00:00Z");
  const full = await rowsOf(site.id);
  for (const table of TABLES) expect(full[table], table).toBeGreaterThan(0);
  const untouched = await rowsOf(other.id);
  const now = new Date("2025-04-02T12:00:00Z");
  await remove(site, now);
  await purged(site, later(now, 60));
  expect(await rowsOf(site.id)).toEqual(NOTHING);
  expect(await rowsOf(other.id)).toEqual(untouched);
  const tables = await ingestPool().query(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'site_id'
     WHERE c.relnamespace = 'facts'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`,
  );
  for (const { name } of tables.rows) {
    const { rowCount } = await ingestPool().query(`SELECT FROM facts.${name} WHERE site_id = $1`, [site.id]);
    expect([name, rowCount]).toEqual([name, 0]);
  }
});

test("within that minute no data is deleted, because ingest may still write", async () => {
  const site = await makeSite();
  await fill(site, "2025-05-02T10:00:00Z");
  // Later than in any other test, which would otherwise purge this site too.
  const now = new Date("2035-01-01T00:00:00Z");
  await remove(site, now);
  await purgeSites(later(now, 59));
  expect((await rowsOf(site.id)).event).toBe(2);
  await purged(site, later(now, 60));
  expect(await rowsOf(site.id)).toEqual(NOTHING);
});

test("more rows than one batch are deleted by concurrent processes, and another run does no harm", async () => {
  const site = await makeSite();
  await fill(site, "2025-06-02T10:00:00Z");
  await ingestPool().query(
    `INSERT INTO facts.name (site_id, first_seen, name) SELECT $1, '2025-06-02', 'name ' || n FROM generate_series(1, 12000) n`,
    [site.id],
  );
  await ingestPool().query(
    `INSERT INTO facts.event_key (site_id, day, key) SELECT $1, '2025-06-02', gen_random_uuid() FROM generate_series(1, 6000)`,
    [site.id],
  );
  await ingestPool().query(
    `INSERT INTO facts.returning_visitor (site_id, month, day, pseudonym, referrer, campaign, place, agent, traffic)
     SELECT $1, '2025-06-01', '2025-06-02', n, 0, 0, 0, 0, 1 FROM generate_series(1, 6000) n`,
    [site.id],
  );
  const now = new Date("2025-06-02T12:00:00Z");
  await remove(site, now);
  await Promise.all(Array.from({ length: 4 }, () => purged(site, later(now, 120))));
  expect(await rowsOf(site.id)).toEqual(NOTHING);
  await purgeSites(later(now, 180));
});

test("of twelve concurrent deletions one succeeds, and the others get site_not_granted", async () => {
  const site = await makeSite();
  const now = new Date("2025-03-12T12:00:00Z");
  const tries = await Promise.all(Array.from({ length: 12 }, () => refused(remove(site, now))));
  expect(tries.filter((refusal) => refusal === null)).toHaveLength(1);
  expect(new Set(tries.filter(Boolean).map((refusal) => refusal?.code))).toEqual(new Set(["site_not_granted"]));
});

test("only an owner deletes a site", async () => {
  const site = await makeSite();
  const manager = await makeMember(site.id, "manager");
  expect((await refused(call(manager, "sites.delete", { site_id: site.id })))?.code).toBe("role_denied");
});

test("the summary lists what would be deleted", async () => {
  const site = await makeSite();
  expect(await summaryOf(site.ownerId, site.id, "sites.delete", {})).toEqual([
    { label: "Site", before: site.host, after: null },
    { label: "Domains", before: site.host, after: null },
    { label: "All data", before: "Stored", after: "Deleted permanently" },
  ]);
});
