import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { makeWorld } from "@/bench/support/world";
import { sealSite } from "@/lib/analytics/rollups";
import { closeDatabase, db, openDatabase } from "@/lib/db";
import { setEnv } from "@/lib/env";
import { VERSION } from "@/lib/ingest/classify";
import { issueAccessToken } from "@/lib/oauth/tokens";
import { OPERATIONS } from "@/lib/operations/index";
import { bootSecrets, digest } from "@/lib/secrets";
import { migrate } from "@/lib/server/migrate";
import { startPostgres } from "@/lib/server/postgres";
import { createSite } from "@/lib/sites/create";
import { freePort, startServer } from "@/lib/testing/server";

/**
 * `npm run bench queries [millions] [operation]`: how long each report takes, or only one of them, over HTTP on the built server, on a site with 90 days and
 * so many million events (9.5 when not given), plain, narrowed to a country and to a page. The world is made once and
 * kept below the system's temporary folder; it is made anew when it is a day old.
 */
const [millions = "9.5", only] = process.argv.slice(2);
const MILLIONS = Number(millions);
const DAYS = 90;
const RUNS = 7;
const SECRETS = `k1:${Buffer.alloc(32, 9).toString("base64")}`;
const print = (line: string) => process.stdout.write(`${line}\n`);

const NARROWED: Record<string, Record<string, string>> = {
  plain: {},
  country: { filters: '{"country":"AA"}' },
  page: { filters: '{"page":"/blog/post-6"}' },
};
/** What a report needs besides the common question to have something to do. */
const MORE: Record<string, Record<string, string>> = {
  "analytics.filter_options": { field: "page", q: "post-1" },
  "analytics.funnels": { funnel: "/pricing > /signup > /thanks" },
  "analytics.funnels.advanced": { funnel: "/pricing > /signup > /thanks" },
  "analytics.explore": { metrics: "visitors,pageviews", dimensions: "page,country", limit: "100" },
};

const today = new Date().toISOString().slice(0, 10);
const dataDir = path.join(os.tmpdir(), `footfall-world-${MILLIONS}-${today}`);
mkdirSync(dataDir, { recursive: true });
const postgres = await startPostgres(dataDir);
try {
  const port = await freePort();
  await migrate(postgres.url);
  bootSecrets(setEnv({ DATABASE_URL: postgres.url, APP_SECRETS: SECRETS, PORT: `${port}` }));
  openDatabase(postgres.url);
  const siteId = await siteWithWorld(postgres.url);
  const limits = "read=100000000/60,write=100000000/60";
  const env = { DATABASE_URL: postgres.url, DATA_DIR: dataDir, APP_SECRETS: SECRETS, RATE_LIMITS: limits };
  const server = await startServer(env, { port });
  try {
    print(
      `${os.cpus().length} × ${os.cpus()[0]?.model}, ${Math.round(os.totalmem() / 2 ** 30)} GiB, Node ${process.version}`,
    );
    await measureAll(server.url, siteId);
  } finally {
    await server.end("SIGTERM");
  }
} finally {
  await closeDatabase();
  await postgres.stop();
}

/** The site, made and sealed if this folder does not hold it yet. */
async function siteWithWorld(url: string): Promise<number> {
  const known = await db().siteDomain.findUnique({ where: { host: "bench.example" } });
  const done = path.join(dataDir, "made");
  if (known && existsSync(done)) return known.siteId;
  if (known) throw new Error(`${dataDir} holds half a world; remove it`);
  const person = await db().person.create({ data: { email: "bench@footfall.example", passwordHash: "none" } });
  const creator = { kind: "owner" as const, personId: person.id };
  const now = new Date();
  const site = { host: "bench.example", name: null, timezone: "Europe/Berlin", public: false, creator, now };
  const siteId = await createSite(db(), site);
  const client = new pg.Client({ connectionString: url });
  // An error comes again from the query that it ended.
  client.on("error", () => {});
  await client.connect();
  await timed("world", () => makeWorld(client, { siteId, events: MILLIONS * 1e6, days: DAYS, end: now }, print));
  // Else the server would decide anew about every visit, and what is sealed would be open again.
  await client.query("INSERT INTO facts.reclassified (site_id, version) VALUES ($1, $2)", [siteId, VERSION]);
  await timed("sealed", () => sealSite(siteId, "Europe/Berlin", new Date(now.getTime() + 3600_000)));
  await client.query("VACUUM ANALYZE");
  const size = await client.query(`
    SELECT (SELECT count(*) FROM facts.event)::int AS events, (SELECT count(*) FROM facts.visit)::int AS visits,
      (SELECT count(*) FROM facts.rollup)::int AS rollups, pg_total_relation_size('facts.rollup')::float8 / 1e6 AS rollup_mb,
      (SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits)::float8 / 1e6 AS facts_mb`);
  print(JSON.stringify(size.rows[0]));
  await client.end();
  await db().client.create({
    data: {
      id: "ffc_bench",
      kind: "delegated",
      name: "Bench",
      secretHash: new Uint8Array(digest("none")),
      ownerId: person.id,
      requestedScopes: ["analytics:read"],
      grantedScopes: ["analytics:read"],
      sites: { create: [{ siteId }] },
    },
  });
  writeFileSync(done, "");
  return siteId;
}

async function timed(name: string, work: () => Promise<unknown>): Promise<void> {
  const begin = performance.now();
  await work();
  print(`${name}: ${Math.round((performance.now() - begin) / 1000)} s`);
}

async function measureAll(url: string, siteId: number): Promise<void> {
  print("median / 95th percentile in ms");
  print(
    `| operation | ${["today", "30d", "90d"].flatMap((period) => Object.keys(NARROWED).map((how) => `${period} ${how}`)).join(" | ")} |`,
  );
  const names = [...OPERATIONS.keys()].filter((id) => id.startsWith("analytics."));
  for (const id of names.filter((name) => !only || name === `analytics.${only}`)) {
    const cells: string[] = [];
    for (const period of ["today", "30d", "90d"]) {
      for (const narrowed of Object.values(NARROWED)) {
        cells.push(await measure(url, id, { site_id: `${siteId}`, period, ...narrowed, ...MORE[id] }));
      }
    }
    print(`| ${id.replace("analytics.", "")} | ${cells.join(" | ")} |`);
  }
}

async function measure(url: string, id: string, input: Record<string, string>): Promise<string> {
  const person = await db().person.findFirstOrThrow();
  const asker = { clientId: "ffc_bench", ownerId: person.id, scopes: ["analytics:read"] as const, now: new Date() };
  const headers = { authorization: `Bearer ${await issueAccessToken(db(), asker)}` };
  const address = `${url}/api/v1/management/actions/${id}?${new URLSearchParams(input)}`;
  const times: number[] = [];
  for (let run = 0; run <= RUNS; run++) {
    const begin = performance.now();
    const response = await fetch(address, { headers });
    const body = await response.text();
    if (response.status !== 200) return `${response.status} ${body.slice(0, 60)}`;
    if (run > 0) times.push(performance.now() - begin);
    // What takes long is not asked so often.
    if (performance.now() - begin > 5000 && run >= 1) break;
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => Math.round(times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0);
  return `${at(0.5)} / ${at(0.95)}`;
}
