import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { test as concurrent, expect, inject, onTestFinished } from "vitest";
import { digest, freshSecret } from "@/lib/platform/secrets";
import { startPostgres } from "@/lib/postgres/start";
import { migrate } from "@/lib/server/migrate";
import { emptyDatabase } from "@/lib/testing/database";
import { expectEachOnce, type Load, sendAll } from "@/lib/testing/load";
import { startLosingProxy } from "@/lib/testing/losing-proxy";
import { type RunningServer, startServer } from "@/lib/testing/server";
import { CHROME, makeSite, TEST_SECRETS } from "@/lib/testing/world";

/** What becomes of events when something breaks under load: the built server, real kills. One after the other. */
const test = concurrent.sequential;

const HOST = "crash.example";
const ANSWERS = [200, 202, 207, 503];

function temporaryDir(): string {
  const dir = mkdtempSync(path.join(os.tmpdir(), "footfall-fault-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A server whose callers' `X-Forwarded-For` is believed, for the length of a test. */
async function serverWith(env: Record<string, string>): Promise<RunningServer> {
  const server = await startServer({ TRUSTED_PROXIES: "127.0.0.1", ...env });
  onTestFinished(async () => void (await server.end("SIGTERM")), 30_000);
  return server;
}

type Query = (sql: string) => Promise<unknown[]>;

/** Asks a database, over a connection for each question: what broke in between is no hindrance. */
const asking =
  (connectionString: string): Query =>
  async (sql) => {
    const client = new pg.Client({ connectionString });
    client.on("error", () => {});
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  };

/** The embedded database of a server, at the address that the server itself makes of its files. */
function addressOf(dataDir: string): string {
  const password = readFileSync(path.join(dataDir, "postgres-password"), "utf8").trim();
  const socket = encodeURIComponent(path.join(dataDir, "postgres"));
  return `postgresql://footfall:${password}@localhost/postgres?host=${socket}`;
}

const embedded = (dataDir: string): Query => asking(addressOf(dataDir));

/** A site of an installation that has none yet, with so many ingest keys. */
async function makeCrashSite(query: Query, keys: number): Promise<string[]> {
  await query(`INSERT INTO site (id, timezone, user_key) VALUES (1, 'UTC', '\\x');
               INSERT INTO site_domain (site_id, host, is_primary) VALUES (1, '${HOST}', true)`);
  return makeKeys(query, 1, keys);
}

async function makeKeys(query: Query, siteId: number, count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, () => `ffk_${freshSecret()}`);
  const rows = keys.map((key) => `(${siteId}, 'Test', '\\x${digest(key).toString("hex")}', '${key.slice(-4)}', now())`);
  await query(`INSERT INTO ingest_key (site_id, name, hash, hint, created_at) VALUES ${rows.join(", ")}`);
  return keys;
}

/** Does something the first time that a condition holds. */
function once(): (holds: boolean, work: () => unknown) => void {
  let done = false;
  return (holds, work) => {
    if (!holds || done) return;
    done = true;
    work();
  };
}

/** Kills Postgres with all of its children, without a word. */
function killPostgres(dataDir: string): void {
  const postmaster = Number(readFileSync(path.join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n")[0]);
  const children = execFileSync("ps", ["-o", "pid=", "--ppid", `${postmaster}`], { encoding: "utf8" });
  for (const pid of [postmaster, ...children.trim().split(/\s+/).map(Number)]) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended by itself when the others did.
    }
  }
}

test("Postgres is stopped and started again under load: while it is away all answers are 503, and each event is stored once", async () => {
  const dataDir = temporaryDir();
  let postgres = await startPostgres(dataDir);
  onTestFinished(() => postgres.stop());
  await migrate(postgres.url);
  const query = asking(postgres.url);
  const keys = await makeCrashSite(query, 50);
  const server = await serverWith({
    DATABASE_URL: postgres.url,
    APP_SECRETS: TEST_SECRETS,
    DATA_DIR: temporaryDir(),
  });
  let phase = "before";
  let restarted = Promise.resolve();
  const [stop, start] = [once(), once()];
  const load: Load = {
    urls: [server.url],
    host: HOST,
    singles: 1_000,
    keys,
    phase: () => phase,
    at({ answered, refused }) {
      stop(answered >= 500, async () => {
        phase = "stopping";
        await postgres.stop();
        phase = "away";
      });
      start(phase === "away" && refused >= 500, () => {
        phase = "starting";
        restarted = startPostgres(dataDir).then((again) => {
          postgres = again;
          phase = "after";
        });
      });
    },
  };
  const loaded = await sendAll(load);
  await restarted;
  expect([...(loaded.statuses.get("away") ?? [])]).toEqual([503]);
  expect(
    [...loaded.statuses.values()].flatMap((all) => [...all]).filter((one) => !ANSWERS.includes(Number(one))),
  ).toEqual([]);
  expect([...loaded.faults]).toEqual([]);
  await expectEachOnce(load, loaded, query);
  expect(server.output()).not.toContain('"level":60');
}, 120_000);

test("a Postgres that dies under load is started again: only 503s meanwhile, pages and all, and no restart is needed", async () => {
  const dataDir = temporaryDir();
  const server = await serverWith({ DATA_DIR: dataDir });
  const query = embedded(dataDir);
  const token = await makeToken(query, server, "sites:read");
  const load: Load = { urls: [server.url], host: HOST, singles: 1_000, keys: await makeCrashSite(query, 50) };
  const kill = once();
  const listed = new Set<number>();
  const lists: Promise<void>[] = [];
  const list = async () => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${server.url}/api/v1/management/actions/sites.list`, { headers });
    listed.add(answer.status);
  };
  let asked = 0;
  const loaded = await sendAll({
    ...load,
    at({ answered }) {
      kill(answered >= 500, () => killPostgres(dataDir));
      if (asked++ % 20 === 0) lists.push(list());
    },
  });
  await Promise.all(lists);
  expect([...(loaded.statuses.get("") ?? [])].filter((one) => !ANSWERS.includes(Number(one)))).toEqual([]);
  expect([...(loaded.statuses.get("") ?? [])]).toContain(503);
  expect([...listed].sort(), server.faults().join("\n")).toEqual([200, 503]);
  expect([...loaded.faults]).toEqual([]);
  await expectEachOnce(load, loaded, query);
}, 120_000);

/** A machine client of an installation with a token of this scope. @param siteId a site that it may read. */
async function makeToken(query: Query, server: RunningServer, scope: string, siteId?: number): Promise<string> {
  const token = `ffa_${freshSecret()}`;
  const base = `http://localhost:${server.port}`;
  await query(
    `INSERT INTO client (id, kind, name, secret_hash, requested_scopes, granted_scopes)
       VALUES ('ffc_test', 'machine', 'Test', '\\x', '{${scope}}', '{${scope}}');
     INSERT INTO client_site (client_id, site_id) SELECT 'ffc_test', id FROM site WHERE id = ${siteId ?? 0};
     INSERT INTO access_token (hash, client_id, issuer, audience, scopes, issued_at, expires_at)
       VALUES ('\\x${digest(token).toString("hex")}', 'ffc_test', '${base}', '${base}/api/v1/management', '{${scope}}',
               now() - interval '1 second', now() + interval '10 minutes')`,
  );
  return token;
}

/** The pageviews of a site within the last day, as its report tells them, or the error. */
const reading = (server: RunningServer, token: string, siteId: number) => async () => {
  const url = `${server.url}/api/v1/management/actions/analytics.overview?site_id=${siteId}&period=24h`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const { data, error } = await response.json();
  return {
    status: response.status,
    retryAfter: response.headers.get("retry-after"),
    pageviews: data?.metrics.pageviews,
    message: error?.message,
  };
};
type Answer = Awaited<ReturnType<ReturnType<typeof reading>>>;

/** Asks until there is an answer. @returns that, and what was answered before. */
async function untilReady(ask: () => Promise<Answer>): Promise<{ last: Answer; before: Answer[] }> {
  const before: Answer[] = [];
  for (;;) {
    const last = await ask();
    if (last.status === 200) return { last, before };
    before.push(last);
    await setTimeout(50);
  }
}

async function view(server: RunningServer, host: string, n: number): Promise<number> {
  const { status } = await fetch(`${server.url}/api/event`, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": CHROME, "x-forwarded-for": `198.51.100.${n}` },
    body: JSON.stringify({ domain: host, name: "pageview", url: `https://${host}/` }),
  });
  return status;
}

const RETRY = expect.objectContaining({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) });

test("Postgres dies while a site is copied and while it is asked: reports answer 503 with Retry-After until it is back, and then the right numbers", async () => {
  const dataDir = temporaryDir();
  const server = await serverWith({ DATA_DIR: dataDir, RATE_LIMITS: "read=100000/60" });
  const query = embedded(dataDir);
  await makeCrashSite(query, 1);
  const ask = reading(server, await makeToken(query, server, "analytics:read", 1), 1);
  for (let n = 0; n < 100; n++) expect(await view(server, HOST, n)).toBe(202);
  await query("INSERT INTO facts.event SELECT event.* FROM facts.event, generate_series(2, 2000)");
  const copying = untilReady(ask);
  const copies = "SELECT FROM pg_stat_activity WHERE query LIKE 'COPY (%facts.event%' AND pid <> pg_backend_pid()";
  while ((await query(copies)).length === 0) await setTimeout(5);
  killPostgres(dataDir);
  const { last, before } = await copying;
  expect(last).toMatchObject({ pageviews: 200_000 });
  for (const answer of before) expect(answer).toEqual(RETRY);
  killPostgres(dataDir);
  const asked = await Promise.all([1, 2, 3].map(() => untilReady(ask)));
  for (const { last } of asked) expect(last).toMatchObject({ pageviews: 200_000 });
  const refused = asked.flatMap(({ before }) => before);
  expect(refused.length).toBeGreaterThan(0);
  for (const answer of refused) expect(answer).toEqual(RETRY);
  expect(await view(server, HOST, 1)).toBe(202);
  await expect.poll(async () => (await ask()).pageviews, { timeout: 10_000 }).toBe(200_001);
}, 120_000);

test("after a kill -9 of everything in the middle of a load each answered event is there, and none twice", async () => {
  const dataDir = temporaryDir();
  const first = await startServer({ DATA_DIR: dataDir, TRUSTED_PROXIES: "127.0.0.1" });
  const keys = await makeCrashSite(embedded(dataDir), 50);
  const urls = [first.url];
  const load: Load = { urls, host: HOST, singles: 1_000, keys };
  // The power goes: the app and its Postgres, without a word. What starts next takes the files over as they are.
  const crash = once();
  let second: Promise<RunningServer> | undefined;
  const loaded = await sendAll({
    ...load,
    at({ answered }) {
      crash(answered >= 500, () => {
        first.process.kill("SIGKILL");
        killPostgres(dataDir);
        second = startServer({ DATA_DIR: dataDir, TRUSTED_PROXIES: "127.0.0.1" }, { port: first.port });
      });
    },
  });
  const server = await second;
  onTestFinished(async () => void (await server?.end("SIGTERM")), 30_000);
  expect([...(loaded.statuses.get("") ?? [])].sort()).toContain("broken");
  expect([...loaded.faults]).toEqual([]);
  await expectEachOnce(load, loaded, embedded(dataDir));
}, 120_000);

test("of two app processes one is killed under load: what it answered is stored once, and the other takes the rest", async () => {
  const env = { DATABASE_URL: inject("databaseUrl"), APP_SECRETS: TEST_SECRETS };
  const servers = await Promise.all([1, 2].map(() => serverWith({ ...env, DATA_DIR: temporaryDir() })));
  const site = await makeSite();
  const query = asking(env.DATABASE_URL);
  const urls = servers.map(({ url }) => url);
  const load: Load = { urls, host: site.host, singles: 1_000, keys: await makeKeys(query, site.id, 50) };
  let phase = "both";
  const kill = once();
  const loaded = await sendAll({
    ...load,
    phase: () => phase,
    at({ answered }) {
      kill(answered >= 750, () => {
        phase = "one";
        servers[0]?.process.kill("SIGKILL");
      });
    },
  });
  expect([...(loaded.statuses.get("both") ?? [])].sort()).toEqual([200, 202]);
  expect([...(loaded.statuses.get("one") ?? [])].sort()).toEqual([200, 202, "broken"]);
  expect([...loaded.faults]).toEqual([]);
  await expectEachOnce({ ...load, urls: urls.slice(1) }, loaded, query);
}, 120_000);

test("COMMITs and answers to them are lost under load: what was told as an error is stored once when it comes again, with an id of its own or the one told", async () => {
  const databaseUrl = inject("databaseUrl");
  const proxy = await startLosingProxy(databaseUrl);
  onTestFinished(() => proxy.close());
  const server = await serverWith({ DATABASE_URL: proxy.url, APP_SECRETS: TEST_SECRETS, DATA_DIR: temporaryDir() });
  const site = await makeSite();
  const query = asking(databaseUrl);
  const load: Load = { urls: [server.url], host: site.host, singles: 1_000, keys: await makeKeys(query, site.id, 50) };
  const loses = [200, 400, 600, 800, 1_000, 1_200].map((after, n) => ({ after, n, first: once() }));
  const loaded = await sendAll({
    ...load,
    at({ answered }) {
      // Transactions whose COMMIT was lost stay open until somebody sends again, as they do until Postgres notices.
      proxy.letGo();
      for (const { after, n, first } of loses) {
        first(answered >= after, () => proxy.lose(n % 2 === 0 ? "answer" : "commit", 1));
      }
    },
  });
  proxy.letGo();
  expect(proxy.lost()).toBeGreaterThanOrEqual(4);
  expect([...loaded.unsure]).toEqual([]);
  expect([...(loaded.statuses.get("") ?? [])].filter((one) => !ANSWERS.includes(Number(one)))).toEqual([]);
  expect([...loaded.faults]).toEqual([]);
  await expectEachOnce(load, loaded, query);
}, 120_000);

/** A small file system in memory, which only root may make; null where that is not allowed. */
function smallDisk(megabytes: number): string | null {
  const dir = mkdtempSync(path.join(os.tmpdir(), "footfall-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=755`, "tmpfs", dir], { stdio: "ignore" });
    return dir;
  } catch {
    rmSync(dir, { recursive: true });
    return null;
  }
}

/** Takes what is left of a disk. @returns a way to give it back. */
function fillDisk(dir: string): () => void {
  const ballast = path.join(dir, "ballast");
  const file = openSync(ballast, "w");
  try {
    for (const block of [1024 * 1024, 4096]) {
      try {
        for (;;) writeSync(file, Buffer.alloc(block, 1));
      } catch (error) {
        expect((error as NodeJS.ErrnoException).code).toBe("ENOSPC");
      }
    }
  } finally {
    closeSync(file);
  }
  return () => rmSync(ballast);
}

test("a full disk answers 503 for as long as it is full, even without its Postgres; with room again all goes on, and each event is stored once", async ({
  skip,
}) => {
  const disk = smallDisk(400);
  if (disk === null) return skip("a small file system can be mounted only by root");
  onTestFinished(() => {
    execFileSync("umount", ["--lazy", disk]);
    rmSync(disk, { recursive: true });
  });
  const server = await serverWith({ DATA_DIR: disk });
  const query = embedded(disk);
  const load: Load = { urls: [server.url], host: HOST, singles: 1_000, keys: await makeCrashSite(query, 50) };
  let phase = "room";
  let giveRoom = () => {};
  const [fill, free] = [once(), once()];
  const loaded = await sendAll({
    ...load,
    phase: () => phase,
    at({ answered, refused }) {
      fill(answered >= 500, () => {
        giveRoom = fillDisk(disk);
        // Also the log of Postgres itself finds no room for its next file, which ends the whole server.
        query("SELECT pg_switch_wal()").catch(() => {});
        phase = "filling";
      });
      if (phase === "filling" && refused >= 100) phase = "full";
      // Not before it could not be started again on the full disk, which takes the server some seconds to give up.
      free(phase === "full" && server.output().includes("PostgreSQL could not be started again yet"), () => {
        phase = "freed";
        giveRoom();
      });
    },
  });
  expect([...(loaded.statuses.get("full") ?? [])]).toEqual([503]);
  expect(
    [...loaded.statuses.values()].flatMap((all) => [...all]).filter((one) => !ANSWERS.includes(Number(one))),
  ).toEqual([]);
  expect([...loaded.faults]).toEqual([]);
  await expectEachOnce(load, loaded, query);
}, 180_000);

test("a full disk keeps reports of new sites from being prepared and later events from being counted: 503 and one line in the log, until there is room; events do not notice it", async ({
  skip,
}) => {
  const disk = smallDisk(64);
  if (disk === null) return skip("a small file system can be mounted only by root");
  onTestFinished(() => {
    execFileSync("umount", ["--lazy", disk]);
    rmSync(disk, { recursive: true });
  });
  const databaseUrl = await emptyDatabase();
  await migrate(databaseUrl);
  const server = await serverWith({ DATA_DIR: disk, DATABASE_URL: databaseUrl, APP_SECRETS: TEST_SECRETS });
  const query = asking(databaseUrl);
  await makeCrashSite(query, 1);
  const ask = reading(server, await makeToken(query, server, "analytics:read", 1), 1);
  expect(await view(server, HOST, 1)).toBe(202);
  const giveRoom = fillDisk(disk);
  for (let tries = 0; tries < 3; tries++)
    expect(await ask()).toMatchObject({ status: 503, retryAfter: "2", message: expect.stringContaining("disk") });
  expect(await view(server, HOST, 2)).toBe(202);
  expect(server.faults()).toEqual([expect.stringContaining("the disk is full")]);
  giveRoom();
  expect((await untilReady(ask)).last.pageviews).toBe(2);
  // A copy that is there has no room for later events.
  const giveRoomAgain = fillDisk(disk);
  expect(await view(server, HOST, 3)).toBe(202);
  // Until then a copy of a moment ago answers.
  await expect
    .poll(ask, { timeout: 30_000 })
    .toMatchObject({ status: 503, retryAfter: "2", message: expect.stringContaining("disk") });
  giveRoomAgain();
  await expect.poll(async () => (await untilReady(ask)).last.pageviews, { timeout: 30_000 }).toBe(3);
}, 120_000);

test("case 24: while a table is locked events are errors and the answer a 503; sent again with the same ids each is stored once", async () => {
  const dataDir = temporaryDir();
  const server = await serverWith({ DATA_DIR: dataDir });
  const query = embedded(dataDir);
  const [key = ""] = await makeCrashSite(query, 1);
  const locker = new pg.Client({ connectionString: addressOf(dataDir) });
  await locker.connect();
  const send = async () => {
    const ask = (door: string, body: object, headers = {}) =>
      fetch(server.url + door, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      });
    const events = ["a", "b"].map((n) => ({ type: "event", name: "Order", event_id: `while-locked-${n}` }));
    const [single, batch] = await Promise.all([
      ask("/api/event", { domain: HOST, name: "Order", event_id: "while-locked-1" }),
      ask("/api/v1/events", { events }, { authorization: `Bearer ${key}` }),
    ]);
    const [one, many] = await Promise.all([single.json(), batch.json()]);
    const results = many.results.map(({ status }: { status: string }) => status);
    return [single.status, one.status ?? one.error.code, batch.status, ...results];
  };
  await locker.query("BEGIN; LOCK TABLE facts.event IN ACCESS EXCLUSIVE MODE");
  expect(await send()).toEqual([503, "unavailable", 503, "error", "error"]);
  await locker.query("COMMIT");
  await locker.end();
  expect(await send()).toEqual([202, "stored", 200, "stored", "stored"]);
  expect(await send()).toEqual([202, "duplicate", 200, "duplicate", "duplicate"]);
  expect(await query("SELECT count(*)::int AS events FROM facts.event")).toEqual([{ events: 3 }]);
}, 120_000);
