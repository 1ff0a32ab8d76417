import { randomInt, randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, inject } from "vitest";
import { type Analytics, setAnalytics } from "@/lib/analytics/engine/analytics";
import { derived } from "@/lib/analytics/query/derived";
import { closeDatabase, openDatabase } from "@/lib/platform/db";
import { withConnection } from "@/lib/platform/pool";
import { DATABASE_ROLES } from "@/lib/postgres/roles";
import { inProcess } from "@/lib/testing/analytics-in-process";
import { citusDatabase } from "@/lib/testing/citus";
import { PATIENT_MS } from "@/lib/testing/patience";
import { databaseUrl, TEMPLATE } from "@/lib/testing/template";

export { withConnection as connected } from "@/lib/platform/pool";

/** Creates an empty database. @returns its URL. */
export const emptyDatabase = (): Promise<string> => createDatabase("template1");

/** Creates a migrated database without rows. @returns its URL. */
export async function migratedDatabase(): Promise<string> {
  const citus = inject("citus");
  if (!citus) return createDatabase(TEMPLATE);
  return (await citusDatabase(citus.url, `${citus.prefix}${randomUUID().slice(0, 8)}`)).url;
}

async function createDatabase(template: string): Promise<string> {
  const name = `own_${randomUUID().replaceAll("-", "")}`;
  await withConnection(inject("adminUrl"), (client) =>
    client.query(`CREATE DATABASE ${name} TEMPLATE ${template} OWNER ${DATABASE_ROLES.app}`),
  );
  return databaseUrl(inject("databaseUrl"), name);
}

/** Other tests and servers may keep the machine busy. */
const PATIENT = { connectWithinMs: PATIENT_MS, reportDeadlineMs: PATIENT_MS };

/**
 * Gives the tests of a file their own database, for code that processes all sites. Call it at the top of the file. Its
 * site ids are unique, because caches use them as keys.
 *
 * @returns the folder of its DuckDB copies, which is set once the tests run.
 */
export function databaseForTests(): { analyticsFolder: string } {
  const made = { analyticsFolder: "" };
  beforeAll(async () => {
    const url = await migratedDatabase();
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

/** Opens the shared test database. */
export const openTestDatabase = (): void => {
  openDatabase(inject("databaseUrl"), { ...PATIENT, reportsUrl: inject("reportsUrl") });
  analyseInProcess(inject("reportsUrl"));
};

/** Sites whose closed days are rolled up, even with few events. */
export const rolledSites = new Set<number>();
/** Sites that get no events after their first query, so that their copies need no refresh. */
export const finishedSites = new Set<number>();

const FINISHED_AGE_MS = 600_000;
type Engines = Record<"plain" | "rolling", Analytics>;

/**
 * Runs the analytics engine in this process, with copies that are refreshed for every query.
 *
 * @returns the folder of the copies without rollups.
 */
export function analyseInProcess(databaseUrl: string): string {
  const root = mkdtempSync(path.join(os.tmpdir(), "footfall-analytics-"));
  const engineIn = (name: string, rollUpFrom: number, maxAgeMs: number) =>
    inProcess({
      folder: path.join(root, name),
      databaseUrl,
      memoryMegabytes: 512,
      threads: 1,
      derived,
      rollUpFrom,
      maxAgeMs,
      waitForCopyMs: PATIENT_MS,
      connectWithinMs: PATIENT_MS,
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
    patternFault: (pattern) => engines[0].plain.patternFault(pattern),
    parquet: (columns, rows) => engines[0].plain.parquet(columns, rows),
    parquetPage: (...asked) => engines[0].plain.parquetPage(...asked),
    forget: (siteId) => of(siteId).forget(siteId),
    close: async () => {
      await Promise.all(engines.flatMap(({ plain, rolling }) => [plain.close(), rolling.close()]));
    },
  });
  return path.join(root, "plain-0");
}
