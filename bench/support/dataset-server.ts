import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { type BenchServer, print } from "@/bench/support/bench-server";
import { createDataset } from "@/bench/support/dataset";
import { VERSION } from "@/lib/ingest/enrich/classify";
import { issueAccessToken } from "@/lib/oauth/tokens";
import { closeDatabase, db, openDatabase } from "@/lib/platform/db";
import { setEnv } from "@/lib/platform/env";
import { bootSecrets, digest } from "@/lib/platform/secrets";
import { startPostgres } from "@/lib/postgres/start";
import { migrate } from "@/lib/server/migrate";
import { createSite } from "@/lib/sites/create";
import { freePort, startServer } from "@/lib/testing/server";

/**
 * The environment of report benchmarks: a site with 90 days of so many million events, and the built server. The
 * dataset is created once and stored in the system's temporary folder; it is recreated after a day.
 */
export interface DatasetServer extends BenchServer {
  siteId: number;
  personId: number;
  /** Calls an operation over HTTP with an agent's token. */
  callOperation(operationId: string, input: Record<string, string>): Promise<Response>;
}

const DAYS = 90;
const ASK_AGAIN_MS = 200;
const SECRETS = `k1:${Buffer.alloc(32, 9).toString("base64")}`;
const HOST = "bench.example";
const SCOPES = ["analytics:read", "events:read"] as const;

export async function withDataset(millions: number, work: (target: DatasetServer) => Promise<void>): Promise<void> {
  const today = new Date().toISOString().slice(0, 10);
  const dataDir = path.join(os.tmpdir(), `footfall-bench-${millions}-${today}`);
  mkdirSync(dataDir, { recursive: true });
  const port = await freePort();
  const { url, adminUrl: database, siteId } = await prepareDataset(dataDir, millions, port);
  // With the embedded Postgres, as most installations.
  const env = {
    DATA_DIR: dataDir,
    APP_SECRETS: SECRETS,
    RATE_LIMITS: "read=100000000/60,write=100000000/60",
    REPORT_SECONDS: "3600",
    TRUSTED_PROXIES: "127.0.0.1",
  };
  const server = await startServer(env, { port });
  try {
    openDatabase(url);
    const { id: personId } = await db().person.findFirstOrThrow();
    const callOperation = operationCaller(server.url, siteId, personId);
    const target = { url: server.url, database, keys: [], server: server.process, events: "facts.event" };
    await work({ ...target, siteId, personId, callOperation });
  } finally {
    await closeDatabase();
    await server.end("SIGTERM");
  }
}

/** Waits until the copy of a site answers reports. @param input of the overview that is asked for */
export async function untilCopied(target: DatasetServer, input: Record<string, string> = {}): Promise<void> {
  for (;;) {
    const answer = await target.callOperation("analytics.overview", input);
    const text = await answer.text();
    if (answer.status === 200) return;
    if (answer.status !== 503) throw new Error(`The report of a site that is copied answered ${answer.status} ${text}`);
    await setTimeout(ASK_AGAIN_MS);
  }
}

/** Creates the dataset and stops its Postgres again. @returns the URLs it will have, and the site's id. */
async function prepareDataset(
  dataDir: string,
  millions: number,
  port: number,
): Promise<{ url: string; adminUrl: string; siteId: number }> {
  const postgres = await startPostgres(dataDir);
  try {
    await migrate(postgres.url);
    bootSecrets(setEnv({ DATABASE_URL: postgres.url, APP_SECRETS: SECRETS, PORT: `${port}` }));
    openDatabase(postgres.url);
    const { url, adminUrl } = postgres;
    return { url, adminUrl, siteId: await siteWithDataset(dataDir, postgres.url, millions) };
  } finally {
    await closeDatabase();
    await postgres.stop();
  }
}

function operationCaller(url: string, siteId: number, ownerId: number): DatasetServer["callOperation"] {
  let issued = { token: "", at: 0 };
  return async (operationId, input) => {
    if (Date.now() - issued.at > 600_000) {
      const principal = { clientId: "ffc_bench", ownerId, scopes: SCOPES, now: new Date() };
      issued = { token: await issueAccessToken(db(), principal), at: Date.now() };
    }
    const endpoint = `${url}/api/v1/management/actions/${operationId}?${new URLSearchParams({ site_id: `${siteId}`, ...input })}`;
    return fetch(endpoint, { headers: { authorization: `Bearer ${issued.token}` } });
  };
}

/** Returns the site, and creates it if this folder does not contain it yet. */
async function siteWithDataset(dataDir: string, url: string, millions: number): Promise<number> {
  const known = await db().siteDomain.findUnique({ where: { host: HOST } });
  const doneFile = path.join(dataDir, "made");
  if (known && existsSync(doneFile)) return known.siteId;
  if (known) throw new Error(`${dataDir} contains an incomplete dataset; delete it`);
  const person = await db().person.create({
    data: { email: "bench@footfall.example", passwordHash: "none", administrator: true },
  });
  const creator = { kind: "owner" as const, personId: person.id };
  const now = new Date();
  const site = { host: HOST, name: null, timezone: "Europe/Berlin", public: false, creator, now };
  const siteId = await createSite(db(), site);
  const client = new pg.Client({ connectionString: url });
  // The query that fails reports the error again.
  client.on("error", () => {});
  await client.connect();
  await timed("dataset", () => createDataset(client, { siteId, events: millions * 1e6, days: DAYS, end: now }, print));
  // Otherwise the server would reclassify every visit.
  await client.query("INSERT INTO facts.reclassified (site_id, version) VALUES ($1, $2)", [siteId, VERSION]);
  await client.query("VACUUM ANALYZE");
  const size = await client.query(`
    SELECT (SELECT count(*) FROM facts.event)::int AS events, (SELECT count(*) FROM facts.visit)::int AS visits,
      (SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = relnamespace
        WHERE nspname = 'facts' AND relkind = 'r')::float8 / 1e6 AS facts_mb`);
  print(JSON.stringify(size.rows[0]));
  await client.end();
  await db().client.create({
    data: {
      id: "ffc_bench",
      kind: "delegated",
      name: "Bench",
      secretHash: new Uint8Array(digest("none")),
      ownerId: person.id,
      requestedScopes: [...SCOPES],
      grantedScopes: [...SCOPES],
      sites: { create: [{ siteId }] },
    },
  });
  writeFileSync(doneFile, "");
  return siteId;
}

async function timed(name: string, work: () => Promise<unknown>): Promise<void> {
  const begin = performance.now();
  await work();
  print(`${name}: ${Math.round((performance.now() - begin) / 1000)} s`);
}
