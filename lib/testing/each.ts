import { afterAll, inject } from "vitest";
import { closeDatabase, openDatabase } from "@/lib/db";
import { setEnv } from "@/lib/env";
import { log } from "@/lib/log";
import { bootSecrets } from "@/lib/secrets";

// What the server does at boot, for each worker that runs tests.
const env = setEnv({
  NODE_ENV: "test",
  DATABASE_URL: inject("databaseUrl"),
  APP_SECRETS: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
});
log.level = "silent";
bootSecrets(env);
openDatabase(inject("databaseUrl"));
afterAll(closeDatabase);
