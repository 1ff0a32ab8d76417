import fc from "fast-check";
import { inject } from "vitest";
import { setEnv } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { processWide } from "@/lib/platform/process-wide";
import { bootSecrets } from "@/lib/platform/secrets";
import { openTestDatabase } from "@/lib/testing/database";
import { TEST_SECRETS } from "@/lib/testing/world";

// What the server does at boot, for each worker that runs tests.
const env = setEnv({
  NODE_ENV: "test",
  DATABASE_URL: inject("databaseUrl"),
  APP_SECRETS: TEST_SECRETS,
});
log.level = "silent";
bootSecrets(env);
// Kept from file to file: a connection that is new to Postgres' tables is slow at first. Postgres ends them with the run.
processWide("database-of-tests", () => ({ opened: openTestDatabase() }));

// Properties are tried with the same luck each time, so that a change is judged by itself alone. `LUCK=new` tries them
// with another, which is told when it fails, and `LUCK=<seed>` repeats that.
const { LUCK = "8628" } = process.env;
if (LUCK !== "new") fc.configureGlobal({ seed: Number(LUCK) });
