import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import { familySeconds, parentOf, processorSeconds, residentMegabytes } from "@/bench/support/processes";
import { closeDatabase, db, openDatabase } from "@/lib/platform/db";
import { setEnv } from "@/lib/platform/env";
import { bootSecrets, digest, freshSecret } from "@/lib/platform/secrets";
import { startPostgres } from "@/lib/postgres/start";
import { migrate } from "@/lib/server/migrate";
import { createSite } from "@/lib/sites/create";
import { startServer } from "@/lib/testing/server";

/** The environment of ingest benchmarks: Postgres, a site with every option on, and the built server. */

export const HOST = "bench.example";
const SECRETS = `k1:${Buffer.alloc(32, 9).toString("base64")}`;
/** A key allows a burst of 600 requests, and ten per second after that. */
const KEYS = 1_000;
const CONNECTIONS = 64;

export interface BenchServer {
  url: string;
  /** Connection string of the superuser, who sees all Postgres processes. */
  database: string;
  /** Ingest keys of the site, enough to stay below the limit of each. */
  keys: string[];
  server: ChildProcess;
  /** The table with the stored events. */
  events: string;
}

/** Starts the environment, runs `work` and stops it again. */
export async function withBenchServer(
  work: (target: BenchServer) => Promise<void>,
  nodeFlags: string[] = [],
): Promise<void> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "footfall-bench-"));
  const postgres = await startPostgres(dataDir);
  try {
    const keys = await prepare(postgres.url);
    const env = {
      DATABASE_URL: postgres.url,
      DATA_DIR: dataDir,
      APP_SECRETS: SECRETS,
      TRUSTED_PROXIES: "127.0.0.1",
    };
    const server = await startServer(env, { nodeFlags });
    try {
      // Loads a page, as on any server in use: the first page starts background work.
      await (await fetch(server.url)).text();
      await work({ url: server.url, database: postgres.adminUrl, keys, server: server.process, events: "facts.event" });
    } finally {
      await server.end("SIGTERM");
    }
  } finally {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/**
 * Runs the prototype beside the server, in the same database, so that both can be compared under the same conditions.
 */
export async function withPrototype(
  target: BenchServer,
  work: (prototype: BenchServer) => Promise<void>,
): Promise<void> {
  const server = spawn(process.execPath, ["build/bench-prototype.mjs", target.database], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [port] = await once(server.stdout, "data");
    await work({ ...target, url: `http://127.0.0.1:${Number(port)}`, server, events: "prototype.event" });
  } finally {
    server.kill();
  }
}

/** Creates a site with exclusion rules, proxies and anonymised addresses. @returns its ingest keys. */
async function prepare(url: string): Promise<string[]> {
  await migrate(url);
  bootSecrets(setEnv({ DATABASE_URL: url, APP_SECRETS: SECRETS }));
  openDatabase(url);
  // An administrator, whose sites have no quota.
  const person = await db().person.create({
    data: { email: "bench@footfall.example", passwordHash: "none", administrator: true },
  });
  const now = new Date();
  const creator = { kind: "owner" as const, personId: person.id };
  const siteId = await createSite(db(), { host: HOST, name: null, timezone: "UTC", public: false, creator, now });
  const trustedProxyIps = ["198.51.100.0/24", "203.0.113.7", "2001:db8::/32"];
  await db().site.update({ where: { id: siteId }, data: { anonymiseIp: true, trustedProxyIps } });
  const rules = [
    { kind: "address" as const, pattern: "192.0.2.0/24" },
    { kind: "country" as const, pattern: "AQ" },
    { kind: "path" as const, pattern: "/admin/**" },
    { kind: "path" as const, pattern: "/*/preview" },
    { kind: "hostname" as const, pattern: "*.staging.bench.example" },
  ];
  await db().siteExclusion.createMany({ data: rules.map((rule) => ({ ...rule, siteId, createdAt: now })) });
  // Adds yesterday's salt, as on any day but a site's first, so that every event looks up two visitors.
  const yesterday = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - 1));
  const expiresAt = new Date(yesterday.getTime() + 48 * 3600_000);
  await db().siteSalt.create({ data: { siteId, day: yesterday, salt: new Uint8Array(32), expiresAt } });
  const keys = Array.from({ length: KEYS }, () => `ffk_${freshSecret()}`);
  await db().ingestKey.createMany({
    data: keys.map((key) => ({
      siteId,
      name: "bench",
      hash: new Uint8Array(digest(key)),
      hint: key.slice(-4),
      createdAt: now,
    })),
  });
  await closeDatabase();
  return keys;
}

/** Runs wrk and prints the stored events and the processor time. @returns the events stored per second. */
export async function run(
  target: BenchServer,
  name: string,
  endpoint: string,
  seconds: number,
  lua: string,
): Promise<number> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "footfall-load-"));
  const script = path.join(folder, "load.lua");
  writeFileSync(script, lua);
  const before = { events: await countEvents(target), used: await cpuSeconds(target) };
  const args = ["-t1", `-c${CONNECTIONS}`, `-d${seconds}s`, "--latency", "-s", script, target.url + endpoint];
  const { stdout: output } = await promisify(execFile)("wrk", args);
  const used = await cpuSeconds(target);
  rmSync(folder, { recursive: true });
  const stored = (await countEvents(target)) - before.events;
  const each = (seconds: number) => ((seconds * 1e6) / stored).toFixed(0);
  const read = (pattern: RegExp) => pattern.exec(output)?.[1] ?? "?";
  const refused = /Non-2xx[^\n]*|Socket errors[^\n]*/.exec(output)?.[0] ?? "none";
  print(
    `${name.padEnd(15)} ${Math.round(stored / seconds)} events/s (${read(/Requests\/sec:\s+([\d.]+)/)} requests/s)   p50 ${read(/50%\s+([\d.]+\w+)/)}   p99 ${read(/99%\s+([\d.]+\w+)/)}   ` +
      `CPU per event ${each(used.server - before.used.server)} µs in the server, ${each(used.postgres - before.used.postgres)} µs in Postgres   refused: ${refused}`,
  );
  return stored / seconds;
}

/** Returns the CPU seconds used so far. */
async function cpuSeconds({ server, database }: BenchServer): Promise<{ server: number; postgres: number }> {
  const checkpointer = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'";
  const [{ pid }] = await query(database, checkpointer);
  return { server: processorSeconds(server.pid ?? 0), postgres: familySeconds(parentOf(pid)) };
}

async function countEvents({ database, events }: BenchServer): Promise<number> {
  return (await query(database, `SELECT count(*)::int AS n FROM ${events}`))[0].n;
}

export async function query(url: string, sql: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

export async function describeStorage(target: BenchServer): Promise<void> {
  const { database } = target;
  await query(database, "VACUUM ANALYZE");
  const rows = await query(
    database,
    `SELECT split_part(relname, '_20', 1) AS part, sum(pg_total_relation_size(c.oid))::float8 AS bytes,
            sum(pg_indexes_size(c.oid))::float8 AS indexes
     FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
     WHERE nspname = 'facts' AND relkind = 'r' GROUP BY 1 ORDER BY 2 DESC`,
  );
  const [{ visits }] = await query(database, "SELECT count(*)::int AS visits FROM facts.visit");
  const events = await countEvents(target);
  const each = (bytes: number) => (bytes / events).toFixed(1);
  const parts = rows.slice(0, 4).map((row) => `${row.part} ${each(row.bytes)}, of which indexes ${each(row.indexes)}`);
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  print(`${events} events in ${visits} visits: ${each(bytes)} bytes per event (${parts.join("; ")})`);
}

export function describeMachine(): void {
  const cpus = os.cpus();
  print(
    `${cpus.length} × ${cpus[0]?.model}, ${Math.round(os.totalmem() / 2 ** 30)} GiB, Node ${process.version}, ${CONNECTIONS} connections`,
  );
}

/** Measures a Node server that does nothing but answer, because a machine's speed varies from day to day. */
export async function describeSpeed(): Promise<void> {
  requireWrk();
  const emptyServer = `require("http").createServer((q, a) => q.resume().on("end", () => a.end("{}")))
    .listen(0, "127.0.0.1", function () { console.log(this.address().port) })`;
  const server = spawn(process.execPath, ["-e", emptyServer], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [port] = await once(server.stdout, "data");
    const url = `http://127.0.0.1:${Number(port)}/`;
    const { stdout } = await promisify(execFile)("wrk", ["-t1", `-c${CONNECTIONS}`, "-d3s", url]);
    print(
      `baseline: an empty server answers ${Math.round(Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]))} requests/s here`,
    );
  } finally {
    server.kill();
  }
}

/** Exits with a message when wrk is not installed. */
export function requireWrk(): void {
  if (!spawnSync("wrk", ["-v"]).error) return;
  process.stderr.write(
    "This benchmark needs wrk: install it (Debian: apt-get install wrk; macOS: brew install wrk).\n",
  );
  process.exit(1);
}

export function rssOf(child: ChildProcess): number {
  return residentMegabytes(child.pid ?? 0);
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
