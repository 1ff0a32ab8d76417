import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { Client, METRICS_TOKEN, type Tier } from "@/e2e/contract/client";
import { identity } from "@/e2e/contract/identity";
import { ingest } from "@/e2e/contract/ingest";
import { metrics } from "@/e2e/contract/metrics";
import { oauth } from "@/e2e/contract/oauth";
import { operations } from "@/e2e/contract/operations";
import { pages } from "@/e2e/contract/pages";
import { databaseForTests } from "@/lib/testing/database";
import { startDns } from "@/lib/testing/dns";
import { openedUrl } from "@/lib/testing/opened-url";
import { startNext, startServer } from "@/lib/testing/server";
import { sampled } from "@/lib/testing/tier";
import { TEST_SECRETS } from "@/lib/testing/world";

/**
 * Tests the published contract over HTTP: all tests against `npm start`; in the full tier, those that are short also
 * against `next start`.
 */
const SERVERS: { command: string; start: typeof startServer; tier: Tier }[] = [
  { command: "npm start", start: startServer, tier: "full" },
  { command: "next start", start: startNext, tier: "short" },
];
const SUBJECTS = { operations, ingest, oauth, identity, pages, metrics };

databaseForTests();

describe.each(sampled(SERVERS, 2))("$command", ({ start, tier }) => {
  let running: { client: Client; stop(): Promise<void> };
  beforeAll(async () => {
    running = await run(start);
  });
  afterAll(() => running?.stop(), 30_000);
  for (const [name, subject] of Object.entries(SUBJECTS)) describe(name, () => subject(() => running.client, tier));
});

async function run(start: typeof startServer) {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "footfall-contract-"));
  const dns = await startDns();
  const settings = {
    DATABASE_URL: await openedUrl(),
    APP_SECRETS: TEST_SECRETS,
    DATA_DIR: dataDir,
    DNS_SERVERS: dns.address,
    LOG_LEVEL: "info",
    METRICS_TOKEN,
    // Each call sends its own IP address in X-Forwarded-For.
    TRUSTED_PROXIES: "127.0.0.1",
  };
  const server = await start(settings);
  return {
    client: new Client(server, dns),
    async stop() {
      const code = await server.end("SIGTERM");
      await dns.stop();
      rmSync(dataDir, { recursive: true, force: true });
      expect(server.faults()).toEqual([]);
      // `next start` ends with 128 + 15, the number of the signal.
      expect(code).toBe(start === startServer ? 0 : 143);
    },
  };
}
