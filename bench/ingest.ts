import { type ChildProcess, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Client } from "pg";
import UserAgent from "user-agents";
import { closeDatabase, db, openDatabase } from "@/lib/db";
import { setEnv } from "@/lib/env";
import { bootSecrets, digest, freshSecret } from "@/lib/secrets";
import { migrate } from "@/lib/server/migrate";
import { startPostgres } from "@/lib/server/postgres";
import { createSite } from "@/lib/sites/create";
import { startServer } from "@/lib/testing/server";

/**
 * `npm run bench ingest`: how many events a second the built server stores durably, driven by wrk with varied
 * addresses, agents and urls, on this machine's cores shared with wrk and Postgres.
 */
const SECONDS = 10;
const CONNECTIONS = 64;
const SECRETS = `k1:${Buffer.alloc(32, 9).toString("base64")}`;
const HOST = "bench.example";
/** A key may make 600 requests at once and ten a second from then on. */
const KEYS = 1_000;

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
  // PROFILE=<folder> leaves a CPU profile of the server there.
  const nodeFlags = process.env.PROFILE ? ["--cpu-prof", `--cpu-prof-dir=${process.env.PROFILE}`] : [];
  const server = await startServer(env, { nodeFlags });
  try {
    describeMachine();
    await run("warm-up", `${server.url}/api/event`, 3);
    for (const round of [1, 2, 3]) await run(`fast lane ${round}`, `${server.url}/api/event`, SECONDS);
    // With a slash at its end the address is not the lane's, and Next's route answers it.
    await run("Next route", `${server.url}/api/event/`, SECONDS);
    for (const size of [1, 100]) {
      await run(`batches of ${size}`, `${server.url}/api/v1/events`, SECONDS, batchScript(keys, size));
    }
    print(`server RSS ${rssOf(server.process)} MB`);
    await describeStorage(postgres.url);
  } finally {
    await server.end("SIGTERM");
  }
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** @returns ingest keys of the site: enough of them that no limit of a key is met. */
async function prepare(url: string): Promise<string[]> {
  await migrate(url);
  bootSecrets(setEnv({ DATABASE_URL: url, APP_SECRETS: SECRETS }));
  openDatabase(url);
  const person = await db().person.create({ data: { email: "bench@footfall.example", passwordHash: "none" } });
  const now = new Date();
  const creator = { kind: "owner" as const, personId: person.id };
  const site = { host: HOST, name: null, timezone: "UTC", public: false, creator, now };
  const siteId = await createSite(db(), site);
  // As on any day but a site's first: yesterday's salt is there, so every event asks for two visitors.
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

/** One run of wrk, and what came of it in the database. */
async function run(name: string, url: string, seconds: number, lua = loadScript()): Promise<void> {
  const script = path.join(dataDir, "load.lua");
  writeFileSync(script, lua);
  const before = await countEvents(postgres.url);
  const args = ["-t1", `-c${CONNECTIONS}`, `-d${seconds}s`, "--latency", "-s", script, url];
  const output = execFileSync("wrk", args, { encoding: "utf8" });
  const stored = (await countEvents(postgres.url)) - before;
  const read = (pattern: RegExp) => pattern.exec(output)?.[1] ?? "?";
  const bad = /Non-2xx[^\n]*|Socket errors[^\n]*/.exec(output)?.[0] ?? "none";
  print(
    `${name.padEnd(14)} ${read(/Requests\/sec:\s+([\d.]+)/).padStart(9)} requests/s   ${Math.round(stored / seconds)} events/s   p50 ${read(/50%\s+([\d.]+\w+)/)}   p99 ${read(/99%\s+([\d.]+\w+)/)}   ` +
      `answered ${read(/(\d+) requests in/)}, stored ${stored}, refused: ${bad}`,
  );
}

/** Four events a visitor on average, nine pageviews in ten, 500 paths of which few are read most, a third with a source. */
function loadScript(): string {
  const agents = Array.from({ length: 400 }, () => new UserAgent().toString());
  const referrers = [
    "https://www.google.com/",
    "https://news.ycombinator.com/item",
    "https://t.co/x",
    "https://blog.example.org/post",
  ];
  const requests = Array.from({ length: 4000 }, (_, i) => {
    const page = `/${["blog", "docs", "shop"][i % 3]}/page-${Math.floor((500 * ((i * 7919) % 1000) ** 2) / 1e6)}`;
    const event = {
      domain: HOST,
      name: i % 10 === 9 ? "Add to cart" : "pageview",
      url: `https://${HOST}${page}${i % 12 === 0 ? "?utm_source=newsletter&utm_medium=email" : ""}`,
      title: `Page ${page}`,
      screen: "1512x982",
      language: ["en-GB", "de-DE", "fr-FR"][i % 3],
      ...(i % 3 === 0 ? { referrer: referrers[i % referrers.length] } : {}),
      ...(i % 10 === 9 ? { props: { sku: `A-${i % 40}`, quantity: 1 + (i % 3) } } : {}),
    };
    return JSON.stringify(event);
  });
  const quote = (text: string) => `[==[${text}]==]`;
  return `
    local bodies = { ${requests.map(quote).join(",\n")} }
    local agents = { ${agents.map(quote).join(",\n")} }
    local started = ${Math.floor(Math.random() * 2 ** 20)}
    local n = 0
    function request()
      n = n + 1
      local visitor = started + math.floor(n / 4)
      local address = 11 + visitor % 89 .. "." .. math.floor(visitor / 89) % 251 .. "." .. math.floor(visitor / 22339) % 251 .. "." .. visitor % 241
      local body = bodies[n % #bodies + 1]
      return "POST " .. wrk.path .. " HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Type: text/plain\\r\\nUser-Agent: " .. agents[visitor % #agents + 1]
        .. "\\r\\nX-Forwarded-For: " .. address .. "\\r\\nContent-Length: " .. #body .. "\\r\\n\\r\\n" .. body
    end`;
}

/** Batches of one size over the Measurement Protocol: four events a visitor, each batch with a key of its own turn. */
function batchScript(keys: string[], size: number): string {
  const agents = Array.from({ length: 400 }, () => new UserAgent().toString());
  const bodies = Array.from({ length: Math.max(40, Math.floor(4000 / size)) }, (_, batch) => {
    const events = Array.from({ length: size }, (_, at) => {
      const n = batch * size + at;
      const page = `/${["blog", "docs", "shop"][n % 3]}/page-${Math.floor((500 * ((n * 7919) % 1000) ** 2) / 1e6)}`;
      const context = {
        page: { url: `https://${HOST}${page}`, title: `Page ${page}` },
        locale: ["en-GB", "de-DE", "fr-FR"][n % 3],
        user_agent: agents[Math.floor(n / 4) % agents.length],
        session_id: `SESSION-${Math.floor(n / 4)}`,
      };
      return n % 10 === 9
        ? { type: "event", name: "Add to cart", properties: { sku: `A-${n % 40}` }, context }
        : { type: "page", context };
    });
    return JSON.stringify({ events });
  });
  const quote = (text: string) => `[==[${text}]==]`;
  return `
    local bodies = { ${bodies.map(quote).join(",\n")} }
    local keys = { ${keys.map(quote).join(",")} }
    local round = ${Math.floor(Math.random() * 2 ** 20)}
    local n = 0
    function request()
      n = n + 1
      if n % #bodies == 0 then round = round + 1 end
      local body = bodies[n % #bodies + 1]:gsub("SESSION", "s" .. round)
      return "POST " .. wrk.path .. " HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Type: application/json\\r\\nAuthorization: Bearer "
        .. keys[n % #keys + 1] .. "\\r\\nContent-Length: " .. #body .. "\\r\\n\\r\\n" .. body
    end`;
}

async function countEvents(url: string): Promise<number> {
  return (await query(url, "SELECT count(*)::int AS n FROM facts.event"))[0].n;
}

async function describeStorage(url: string): Promise<void> {
  await query(url, "VACUUM ANALYZE");
  const rows = await query(
    url,
    `SELECT split_part(relname, '_', 1) AS part, sum(pg_total_relation_size(c.oid))::float8 AS bytes
     FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
     WHERE nspname = 'facts' AND relkind = 'r' GROUP BY 1 ORDER BY 2 DESC`,
  );
  const [{ visits }] = await query(url, "SELECT count(*)::int AS visits FROM facts.visit");
  const events = await countEvents(url);
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  const parts = rows.slice(0, 4).map((row) => `${row.part} ${(row.bytes / events).toFixed(1)}`);
  print(`${events} events in ${visits} visits: ${(bytes / events).toFixed(1)} bytes an event (${parts.join(", ")})`);
}

async function query(url: string, sql: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

function describeMachine(): void {
  const cpus = os.cpus();
  print(
    `${cpus.length} × ${cpus[0]?.model}, ${Math.round(os.totalmem() / 2 ** 30)} GiB, Node ${process.version}, ${CONNECTIONS} connections`,
  );
}

function rssOf(child: ChildProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
