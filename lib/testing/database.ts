import { randomInt, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, inject } from "vitest";
import { setAnalytics } from "@/lib/analytics/engine/analytics";
import { inProcess } from "@/lib/analytics/engine/in-process";
import { derived } from "@/lib/analytics/query/derived";
import { closeDatabase, openDatabase } from "@/lib/db";
import { withConnection } from "@/lib/pool";
import { ROLES } from "@/lib/postgres/roles";
import { migrate } from "@/lib/server/migrate";

export { withConnection as connected } from "@/lib/pool";

/** An empty database beside that of the tests. @returns its address. */
export async function emptyDatabase(): Promise<string> {
  const name = `own_${randomUUID().replaceAll("-", "")}`;
  await withConnection(inject("adminUrl"), (client) => client.query(`CREATE DATABASE ${name} OWNER ${ROLES.app}`));
  const url = new URL(inject("databaseUrl"));
  url.pathname = `/${name}`;
  return url.href;
}

/**
 * Gives the tests of a file an installation of their own, for what looks at all that there is. Call it at the top of the
 * file. Its sites have numbers that no others have, because much of what is known of sites is remembered by them.
 *
 * @returns where the copies of its facts are, once its tests run.
 */
export function databaseForTests(): { analyticsFolder: string } {
  const made = { analyticsFolder: "" };
  beforeAll(async () => {
    const url = await emptyDatabase();
    await migrate(url);
    await withConnection(url, (client) => client.query(`ALTER SEQUENCE site_id_seq RESTART ${randomInt(1e9, 2e9)}`));
    await closeDatabase();
    openDatabase(url);
    made.analyticsFolder = analyseInProcess(url);
  });
  afterAll(async () => {
    await closeDatabase();
    openTestDatabase();
  });
  return made;
}

/** Opens the database that all tests share. */
export const openTestDatabase = (): void => {
  openDatabase(inject("databaseUrl"), { reportsUrl: inject("reportsUrl") });
  analyseInProcess(inject("reportsUrl"));
};

/** Sites whose closed days are rolled up, however few events they have. */
export const rolledSites = new Set<number>();

/**
 * Has the reports of this process read copies of their own of a database, each as fresh as it can be.
 *
 * @returns the folder of those whose days are not rolled up.
 */
export function analyseInProcess(databaseUrl: string): string {
  const engineIn = (folder: string, rollUpFrom: number) =>
    inProcess({
      folder,
      databaseUrl,
      memoryMegabytes: 512,
      threads: 1,
      derived,
      rollUpFrom,
      maxAgeMs: 0,
      waitForCopyMs: 60_000,
    });
  const folders = [0, 1].map(() => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "footfall-analytics-"));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    return folder;
  }) as [string, string];
  const [plain, rolling] = [engineIn(folders[0], Number.POSITIVE_INFINITY), engineIn(folders[1], 0)];
  const of = (siteId: number) => (rolledSites.has(siteId) ? rolling : plain);
  setAnalytics({
    ask: (site, ...rest) => of(site.siteId).ask(site, ...rest),
    forget: (siteId) => of(siteId).forget(siteId),
    close: async () => void (await Promise.all([plain.close(), rolling.close()])),
  });
  return folders[0];
}
