import fc from "fast-check";
import { afterAll, inject } from "vitest";
import { setEnv } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { processWide } from "@/lib/platform/process-wide";
import { bootSecrets } from "@/lib/platform/secrets";
import { openTestDatabase } from "@/lib/testing/database";
import { recordStatements } from "@/lib/testing/distributable";
import { SEED } from "@/lib/testing/tier";
import { TEST_SECRETS } from "@/lib/testing/world";

// Boots each test worker like the server.
const env = setEnv({
  NODE_ENV: "test",
  DATABASE_URL: inject("databaseUrl"),
  APP_SECRETS: TEST_SECRETS,
});
log.level = "silent";
bootSecrets(env);
// Reused by all test files of a worker, because new connections are slow at first. Postgres closes them after the run.
processWide("database-of-tests", () => ({ opened: openTestDatabase() }));

const recorded = processWide("statements-of-tests", recordStatements);
afterAll(() => {
  const faults = recorded.takeFaults();
  if (faults.length > 0)
    throw new Error(`Citus cannot run these statements (docs/growing.md):\n${faults.join("\n\n")}`);
});

fc.configureGlobal({ seed: SEED });
