import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, expect, inject, test } from "vitest";
import { backUp } from "@/lib/backup/backup";
import { nameOf, sequencesOf, tablesOf } from "@/lib/backup/catalogue";
import { BadBackup, type Copied } from "@/lib/backup/format";
import { openBackup, opens, restore } from "@/lib/backup/restore";
import { flushIngestStats } from "@/lib/ingest/store/ingest-stats";
import { closeDatabase, openDatabase } from "@/lib/platform/db";
import { explainError } from "@/lib/platform/explain-error";
import { migrate } from "@/lib/server/migrate";
import { call } from "@/lib/testing/calls";
import { analyseInProcess, connected, emptyDatabase, migratedDatabase, openTestDatabase } from "@/lib/testing/database";
import { PATIENT_MS } from "@/lib/testing/patience";
import { temporaryDir } from "@/lib/testing/temporary-dir";
import { makeSite, post } from "@/lib/testing/world";

const NOW = new Date();
const folder = temporaryDir(afterAll);

/** Runs `work` with another database instead of the test database. */
async function within<T>(url: string, work: () => Promise<T>): Promise<T> {
  await closeDatabase();
  openDatabase(url, { connectWithinMs: PATIENT_MS });
  analyseInProcess(url);
  try {
    return await work();
  } finally {
    await closeDatabase();
    openTestDatabase();
  }
}

/** A database with data of one site. Its id is unique, because caches use site ids as keys. */
async function filled(): Promise<{ url: string; overview: object; siteId: number; ownerId: number }> {
  const url = await emptyDatabase();
  await migrate(url);
  await connected(url, (client) => client.query("ALTER SEQUENCE site_id_seq RESTART 1987654321"));
  // The existing months are cached too.
  const month = [NOW.toISOString().slice(0, 10)];
  for (const one of [url, inject("databaseUrl")]) {
    await connected(one, (client) => client.query("SELECT facts.add_month($1::date)", month));
  }
  return within(url, async () => {
    const site = await makeSite();
    const hard = "tab\t line\n back\\slash \\. \\N é 😀 \"'";
    for (const [index, address] of ["203.0.113.1", "203.0.113.2", "8.8.8.8"].entries()) {
      const event = { name: hard.slice(0, 20 + index), props: { hard, n: index }, user_id: `u${index}` };
      await post(site, `/page-${index}?utm_source=news`, { at: NOW, address });
      await post(site, { ...event, revenue: { amount: "12.30", currency: "EUR" } }, { at: NOW, address });
    }
    await flushIngestStats();
    const overview = await call(site.ownerId, "analytics.overview", { site_id: site.id, period: "today" }, NOW);
    return { url, overview, siteId: site.id, ownerId: site.ownerId };
  });
}

/** A checksum of the rows of each table, independent of their order, and the state of the sequences. */
const contentOf = (url: string) =>
  connected(url, async (client) => {
    const sums: Record<string, string> = {};
    for (const table of await tablesOf(client)) {
      const { rows } = await client.query(
        `SELECT count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' ORDER BY md5(t::text))), '') AS sum FROM ${nameOf(table)} t`,
      );
      sums[`${table.schema}.${table.name}`] = rows[0].sum;
    }
    return { sums, sequences: await sequencesOf(client) };
  });

const make = (url: string, file: string, secrets: string | null = null) =>
  backUp(path.join(folder, file), { url, version: "1.2.3", secrets, now: NOW });

async function restored(url: string, file: string): Promise<Copied> {
  const backup = await openBackup(path.join(folder, file));
  try {
    return await restore(url, backup);
  } finally {
    backup.close();
  }
}

// Sequential, because it replaces the database of the process.
test.sequential("a restored database has the same rows and the same reports", async () => {
  const { url, overview, siteId, ownerId } = await filled();
  const copied = await make(url, "whole");
  const copy = await emptyDatabase();
  expect(await restored(copy, "whole")).toEqual(copied);
  const before = await contentOf(url);
  expect(Object.values(before.sums).filter((sum) => !sum.startsWith("0 ")).length).toBeGreaterThan(12);
  expect(await contentOf(copy)).toEqual(before);
  const again = await within(copy, () =>
    call(ownerId, "analytics.overview", { site_id: siteId, period: "today" }, NOW),
  );
  expect(again).toEqual(overview);
  expect(again).toMatchObject({ metrics: { visitors: 3, pageviews: 3 } });
  expect(statSync(path.join(folder, "whole")).mode & 0o777).toBe(0o600);

  // A failed restore writes nothing, and existing data is never overwritten.
  const content = await contentOf(copy);
  await expect(restored(copy, "whole")).rejects.toThrow("not empty");
  expect(await contentOf(copy)).toEqual(content);
  const foreign = await emptyDatabase();
  await connected(foreign, (client) => client.query("CREATE TABLE note AS SELECT 'of another program' AS text"));
  await expect(restored(foreign, "whole")).rejects.toThrow("not empty");
  const cut = path.join(folder, "cut");
  writeFileSync(cut, readFileSync(path.join(folder, "whole")));
  truncateSync(cut, statSync(cut).size - 200);
  const other = await emptyDatabase();
  await expect(restored(other, "cut")).rejects.toThrow(BadBackup);
  expect(Object.values((await contentOf(other)).sums).every((sum) => sum.startsWith("0 "))).toBe(true);
  await restored(other, "whole");
  expect(await contentOf(other)).toEqual(before);
});

test("a backup contains secrets only on request, and shows whether the current secrets open it", async () => {
  const url = await emptyDatabase();
  await migrate(url);
  await make(url, "without");
  await make(url, "with", "k1:the-secret");
  const [without, withThem] = ["without", "with"].map((file) => gunzipSync(readFileSync(path.join(folder, file))));
  expect([without?.includes("the-secret"), withThem?.includes("the-secret")]).toEqual([false, true]);
  const { head, close } = await openBackup(path.join(folder, "without"));
  expect(opens(head)).toBe(true);
  const sealed = Buffer.from(head.sealed, "base64");
  sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1;
  expect(opens({ ...head, sealed: sealed.toString("base64") })).toBe(false);
  close();
});

test("a backup or a restore that loses its database says so, and a backup leaves no file", async () => {
  const [url, other] = [await migratedDatabase(), await migratedDatabase()];
  await make(url, "to-restore");
  // Ends the connection that `work` uses while it waits for one of the tables.
  const printedWhenLost = (database: string, mode: string, work: () => Promise<unknown>) =>
    connected(database, async (client) => {
      await client.query(`BEGIN; LOCK TABLE public.person IN ${mode} MODE`);
      const failed = work().then(String, explainError);
      for (let ended = 0; ended === 0; ) {
        const { rows } = await client.query(
          "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE NOT granted AND relation = 'public.person'::regclass",
        );
        ended = rows.length;
      }
      return failed;
    });
  const unavailable = /^The database is unavailable \(.*\): run the command again once it answers\.$/;
  expect(await printedWhenLost(url, "ACCESS EXCLUSIVE", () => make(url, "lost"))).toMatch(unavailable);
  expect(await printedWhenLost(other, "SHARE", () => restored(other, "to-restore"))).toMatch(unavailable);
  expect(readdirSync(folder).filter((name) => name.startsWith("lost"))).toEqual([]);
});

test("files that are not backups, and backups of another version, are refused without changing the database", async () => {
  const url = await emptyDatabase();
  const file = path.join(folder, "none");
  writeFileSync(file, "no backup");
  await expect(openBackup(file)).rejects.toThrow("not a Footfall backup");
  await migrate(url);
  await make(url, "newer");
  const backup = await openBackup(path.join(folder, "newer"));
  const { migrations } = backup.head;
  const empty = await emptyDatabase();
  const newer = [...migrations, { name: "29990101000000_later", checksum: "1" }];
  const older = [{ name: "20261120000000_control", checksum: "1" }];
  for (const [made, refused] of [
    [newer, /^The backup is of a newer version, with the migration 29990101000000_later: use that version/],
    [older, /^The backup is of an older version.*: restore and start it with that version, export the events.*\.$/],
  ] as const) {
    const other = { ...backup, head: { ...backup.head, migrations: [...made] } };
    expect(await restore(empty, other).then(String, explainError)).toMatch(refused);
  }
  backup.close();
  expect(await connected(empty, tablesOf)).toEqual([]);
  await expect(make(await emptyDatabase(), "nothing")).rejects.toThrow("not a Footfall database");
});
