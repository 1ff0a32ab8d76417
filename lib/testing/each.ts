import fc from "fast-check";
import { afterAll, inject } from "vitest";
import { closeDatabase, openDatabase } from "@/lib/db";
import { setEnv } from "@/lib/env";
import { log } from "@/lib/log";
import { bootSecrets } from "@/lib/secrets";
import { TEST_SECRETS } from "@/lib/testing/world";

// What the server does at boot, for each worker that runs tests.
const env = setEnv({
  NODE_ENV: "test",
  DATABASE_URL: inject("databaseUrl"),
  APP_SECRETS: TEST_SECRETS,
});
log.level = "silent";
bootSecrets(env);
openDatabase(inject("databaseUrl"));
afterAll(closeDatabase);

// Properties are tried with the same luck each time, so that a change is judged by itself alone. `LUCK=new` tries them
// with another, which is told when it fails, and `LUCK=<seed>` repeats that.
const { LUCK = "8628" } = process.env;
if (LUCK !== "new") fc.configureGlobal({ seed: Number(LUCK) });
