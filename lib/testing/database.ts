import { randomInt, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, inject } from "vitest";
import { type Analytics, setAnalytics } from "@/lib/analytics/engine/analytics";
import { inProcess } from "@/lib/analytics/engine/in-process";
import { derived } from "@/lib/analytics/query/derived";
import { closeDatabase, openDatabase } from "@/lib/platform/db";
import { withConnection } from "@/lib/platform/pool";
import { ROLES } from "@/lib/postgres/roles";
import { migrate } from "@/lib/server/migrate";

export { withConnection as connected } from "@/lib/platform/pool";

/** An empty database beside that of the tests. @returns its address. */
export async function emptyDatabase(): Promise<string> {
  const name = `own_${randomUUID().replaceAll("-", "")}`;
  await withConnection(inject("adminUrl"), (client) => client.query(`CREATE DATABASE ${name} OWNER ${ROLES.app}`));
  const url = new URL(inject("databaseUrl"));
  url.pathname = `/${name}`;
  return url.href;
}

/** All files of tests run at once, and some send a thousand requests: a caller may wait long for its connection. */
const PATIENT = { connectWithinMs: 60_000 };

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
    openDatabase(url, PATIENT);
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
  openDatabase(inject("databaseUrl"), { ...PATIENT, reportsUrl: inject("reportsUrl") });
  analyseInProcess(inject("reportsUrl"));
};

/** Sites whose closed days are rolled up, however few events they have. */
export const rolledSites = new Set<number>();
/** Sites that nobody writes to once they have been asked: their copies need not be brought up to date each time. */
export const finishedSites = new Set<number>();

const FINISHED_AGE_MS = 600_000;
type Engines = Record<"plain" | "rolling", Analytics>;

/**
 * Has the reports of this process read copies of their own of a database, each as fresh as it can be.
 *
 * @returns the folder of those whose days are not rolled up.
 */
export function analyseInProcess(databaseUrl: string): string {
  const root = mkdtempSync(path.join(os.tmpdir(), "footfall-analytics-"));
  process.once("exit", () => rmSync(root, { recursive: true, force: true }));
  const engineIn = (name: string, rollUpFrom: number, maxAgeMs: number) =>
    inProcess({
      folder: path.join(root, name),
      databaseUrl,
      memoryMegabytes: 512,
      threads: 1,
      derived,
      rollUpFrom,
      maxAgeMs,
      waitForCopyMs: 60_000,
      connectWithinMs: 60_000,
    });
  const engines = [0, FINISHED_AGE_MS].map((age) => ({
    plain: engineIn(`plain-${age}`, Number.POSITIVE_INFINITY, age),
    rolling: engineIn(`rolling-${age}`, 0, age),
  })) as [Engines, Engines];
  const of = (siteId: number) => {
    const { plain, rolling } = engines[finishedSites.has(siteId) ? 1 : 0];
    return rolledSites.has(siteId) ? rolling : plain;
  };
  setAnalytics({
    query: (site, ...rest) => of(site.siteId).query(site, ...rest),
    forget: (siteId) => of(siteId).forget(siteId),
    close: async () => {
      await Promise.all(engines.flatMap(({ plain, rolling }) => [plain.close(), rolling.close()]));
    },
  });
  return path.join(root, "plain-0");
}
