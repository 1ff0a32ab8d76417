import { afterAll, test as concurrent, describe, expect, inject } from "vitest";
import { backUp } from "@/lib/backup/backup";
import { openBackup, restore } from "@/lib/backup/restore";
import { addMonth, readDictionariesSize, readMonthSizes } from "@/lib/ingest/store/partitions";
import { db } from "@/lib/platform/db";
import { distribute, distributeAdded } from "@/lib/server/distribute";
import { migrate } from "@/lib/server/migrate";
import { emptyCitusDatabase } from "@/lib/testing/citus";
import { connected, emptyDatabase, migratedDatabase } from "@/lib/testing/database";
import { PATIENT, someoneWaitsFor } from "@/lib/testing/locks";
import { openedUrl } from "@/lib/testing/opened-url";
import { checkReports } from "@/lib/testing/oracle/check";
import { REPORTS } from "@/lib/testing/oracle/every-report";
import { rowsOf } from "@/lib/testing/rows";
import { temporaryDir } from "@/lib/testing/temporary-dir";
import { makeSite, send } from "@/lib/testing/world";

/**
 * What only a Citus can show. `CITUS_URL=postgresql://superuser@coordinator/database npx vitest run` with any other file
 * runs that file on distributed facts, as that of the oracle; docs/growing.md lists those of the trial.
 */

const test = concurrent.sequential;
const citus = inject("citus");
const folder = temporaryDir(afterAll);
const AT = new Date("2033-07-10T12:00:00Z");

const countOn = (url: string, sql: string): Promise<number> =>
  connected(url, async (client) => Number((await client.query(sql)).rows[0].count));

describe.runIf(citus)("on Citus", () => {
  test("facts are stored on the workers, and the coordinator has none", async () => {
    const site = await makeSite();
    for (const path of ["/a", "/b"]) await send(site, path, { at: AT });
    const url = await openedUrl();
    expect(await countOn(url, `SELECT count(*) FROM facts.event WHERE site_id = ${site.id}`)).toBe(2);
    expect(
      await countOn(
        url,
        `SELECT count(*) FROM pg_dist_placement JOIN pg_dist_shard USING (shardid) JOIN pg_dist_node USING (groupid)
         WHERE logicalrelid = 'facts.event_2033_07'::regclass AND groupid = 0`,
      ),
    ).toBe(0);
    expect(await countOn(url, "SELECT pg_relation_size('facts.event_2033_07') AS count")).toBe(0);
  });

  test("a month that is added later is distributed like the others", async () => {
    await addMonth(new Date("2041-03-01T00:00:00Z"));
    const tables = "'{facts.event,facts.visit,facts.event_2041_03,facts.visit_2041_03}'::regclass[]";
    const distributed = `FROM pg_dist_partition WHERE logicalrelid = ANY(${tables})`;
    expect(await countOn(await openedUrl(), `SELECT count(*) ${distributed}`)).toBe(4);
    expect(await countOn(await openedUrl(), `SELECT count(DISTINCT colocationid) ${distributed}`)).toBe(1);
  });

  test("a month that is added while a transaction has changed visits, but not yet their events, waits for it without a deadlock", async () => {
    const site = await makeSite();
    await send(site, "/a", { at: AT });
    const added = await db().$transaction(async (tx) => {
      // As late events do.
      await tx.$executeRaw`
        DELETE FROM facts.visit USING (SELECT visitor_id, started FROM facts.visit WHERE site_id = ${site.id}) AS given
        WHERE visit.site_id = ${site.id} AND visit.visitor_id = given.visitor_id AND visit.started = given.started`;
      const month = addMonth(new Date("2041-05-01T00:00:00Z"));
      month.catch(() => {});
      await someoneWaitsFor(tx);
      await tx.$executeRaw`UPDATE facts.event SET engagement_ms = 1 WHERE site_id = ${site.id} AND ts >= ${AT}`;
      return { month };
    }, PATIENT);
    await added.month;
    const changed = `SELECT count(*) FROM facts.event WHERE site_id = ${site.id} AND engagement_ms = 1`;
    expect(await countOn(await openedUrl(), changed)).toBe(1);
  });

  test("a table that an update adds is distributed by the next start, and one node has none to distribute", async () => {
    const url = await migratedDatabase();
    await connected(url, async (client) => {
      await client.query("CREATE TABLE facts.added (site_id int PRIMARY KEY)");
      await client.query("INSERT INTO facts.added VALUES (7)");
    });
    const [one, other] = await Promise.all([distributeAdded(url), distributeAdded(url)]);
    expect([...one, ...other]).toEqual(["facts.added"]);
    const together = "SELECT count(DISTINCT colocation_id) FROM citus_tables";
    expect(await countOn(url, together)).toBe(1);
    expect(await countOn(url, "SELECT count(*) FROM facts.added WHERE site_id = 7")).toBe(1);
    const { url: undistributed } = await emptyCitusDatabase(citus?.url ?? "", `${citus?.prefix}undistributed`);
    await migrate(undistributed);
    expect(await distributeAdded(undistributed)).toEqual([]);
    expect(await distributeAdded(await emptyDatabase())).toEqual([]);
  });

  test("the reports role reads facts on the workers and cannot write them", async () => {
    const site = await makeSite();
    await send(site, "/a", { at: AT });
    const read = await rowsOf`SELECT count(*)::int AS events FROM facts.event WHERE site_id = ${site.id}`;
    expect(read).toEqual([{ events: 1 }]);
    await connected(inject("reportsUrl"), async (client) => {
      await client.query("SET default_transaction_read_only = off");
      const write = client.query("DELETE FROM facts.event WHERE site_id = $1", [site.id]);
      await expect(write).rejects.toThrow(/permission denied/);
    });
  });

  test("reports of distributed facts are what a plain count of the raw events says", () =>
    checkReports([REPORTS.overview(), REPORTS.chart(), REPORTS.explore(), REPORTS.campaigns()], {
      fixed: 3,
      fresh: 2,
    }));

  test("the sizes of facts are those on all nodes", async () => {
    const [months, dictionaries] = [await readMonthSizes(), await readDictionariesSize()];
    const month = months.find(({ month }) => month === "2033-07");
    expect([month?.events, month?.visits, dictionaries].every((size) => size !== undefined && size > 0)).toBe(true);
  });

  test("a second run of distribute changes nothing", async () => {
    const { tables } = await distribute(await migratedDatabase());
    expect(tables).toEqual([]);
  });

  test("distribute refuses while a server is connected", async () => {
    const url = await migratedDatabase();
    await connected(url, async () => {
      await expect(distribute(url)).rejects.toThrow(/Stop all servers first/);
    });
  });

  test("a backup of distributed facts is restored on one node, on Citus, and on a coordinator that distributes it later", async () => {
    const site = await makeSite();
    for (const path of ["/a", "/b", "/c"]) await send(site, path, { at: AT });
    const file = `${folder}/citus.backup`;
    const written = await backUp(file, { url: await openedUrl(), version: "1", secrets: null, now: AT });
    const { url: later } = await emptyCitusDatabase(citus?.url ?? "", `${citus?.prefix}later`);
    for (const target of [await emptyDatabase(), await migratedDatabase(), later]) {
      const backup = await openBackup(file);
      const copied = await restore(target, backup).finally(() => backup.close());
      expect(copied.rows).toBe(written.rows);
      if (target === later) expect((await distribute(later)).tables).toContain("facts.event");
      expect(await countOn(target, `SELECT count(*) FROM facts.event WHERE site_id = ${site.id}`)).toBe(3);
    }
    expect(await countOn(later, "SELECT pg_relation_size('facts.event_2033_07') AS count")).toBe(0);
  });
});
