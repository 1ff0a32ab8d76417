import { AsyncLocalStorage } from "node:async_hooks";
import fc from "fast-check";
import { afterAll, aroundEach, inject } from "vitest";
import { ArrivalClock, arrivalClock } from "@/lib/ingest/store/arrival-time";
import { setEnv } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { processWide } from "@/lib/platform/process-wide";
import { bootSecrets } from "@/lib/platform/secrets";
import { openTestDatabase } from "@/lib/testing/database";
import { recordStatements } from "@/lib/testing/distributable";
import { SEED } from "@/lib/testing/tier";
import { TEST_SECRETS } from "@/lib/testing/world";
import { addCatalogues } from "@/lib/texts/catalogues";

// Boots each test worker like the server.
const env = setEnv({
  NODE_ENV: "test",
  DATABASE_URL: inject("databaseUrl"),
  APP_SECRETS: TEST_SECRETS,
});
log.level = "silent";
bootSecrets(env);
addCatalogues();
// Reused by all test files of a worker, because new connections are slow at first. Postgres closes them after the run.
processWide("database-of-tests", () => ({ opened: openTestDatabase() }));

// Each test has its own clock of arrivals. With one for all, tests that send events at the same time would move and reorder
// each other's by microseconds.
const clocks = new AsyncLocalStorage<ArrivalClock>();
const outsideOfTests = new ArrivalClock();
const clock = () => clocks.getStore() ?? outsideOfTests;
Object.assign(arrivalClock, {
  arrivalTime: (now) => clock().arrivalTime(now),
  reserveTimestamps: (now, count) => clock().reserveTimestamps(now, count),
} satisfies Pick<ArrivalClock, "arrivalTime" | "reserveTimestamps">);
aroundEach((runTest) => clocks.run(new ArrivalClock(), runTest));

const recorded = processWide("statements-of-tests", recordStatements);
afterAll(() => {
  const faults = recorded.takeFaults();
  if (faults.length > 0)
    throw new Error(`Citus cannot run these statements (docs/growing.md):\n${faults.join("\n\n")}`);
});

fc.configureGlobal({ seed: SEED });
