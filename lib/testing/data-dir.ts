import { afterAll, inject } from "vitest";
import { setEnv } from "@/lib/platform/env";
import { temporaryDir } from "@/lib/testing/temporary-dir";
import { TEST_SECRETS } from "@/lib/testing/world";

/** Gives the tests of a file a data folder, which is deleted after them, and a public address. Call it at the top of the file. */
export function dataDirForTests(): void {
  setEnv({
    NODE_ENV: "test",
    DATABASE_URL: inject("databaseUrl"),
    APP_SECRETS: TEST_SECRETS,
    BASE_URL: "https://stats.example.com",
    DATA_DIR: temporaryDir(afterAll),
  });
}
