import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { test as concurrent, expect, onTestFinished } from "vitest";
import {
  embedded,
  HOST,
  killPostgres,
  makeCrashSite,
  makeKeys,
  makeToken,
  once,
  queryOn,
  serverWith,
  untilReady,
} from "@/e2e/server/crashes";
import { readPageviews, sendPageview } from "@/e2e/server/reports";
import { embeddedUrl, startPostgres } from "@/lib/postgres/start";
import { migrate } from "@/lib/server/migrate";
import { databaseForTests, emptyDatabase } from "@/lib/testing/database";
import { expectEachOnce, type Load, sendAll } from "@/lib/testing/load";
import { startLosingProxy } from "@/lib/testing/losing-proxy";
import { openedUrl } from "@/lib/testing/opened-url";
import { PATIENT_MS } from "@/lib/testing/patience";
import { type RunningServer, startServer } from "@/lib/testing/server";
import { temporaryDir } from "@/lib/testing/temporary-dir";
import { CHROME, makeSite, TEST_SECRETS } from "@/lib/testing/world";

/** Events while something fails under load, with the built server and real kills. Sequential. */
const test = concurrent.sequential;

// The jobs of the servers would do the work of other tests, such as sending their email.
databaseForTests();

const EXPECTED_STATUSES = [200, 202, 207, 503];

test("Postgres is stopped and started again under load: all responses in between are 503, and each event is stored once", async () => {
  const dataDir = temporaryDir();
  let postgres = await startPostgres(dataDir);
  onTestFinished(() => postgres.stop());
  await migrate(postgres.url);
  const query = queryOn(postgres.url);
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
    [...loaded.statuses.values()].flatMap((all) => [...all]).filter((one) => !EXPECTED_STATUSES.includes(Number(one))),
  ).toEqual([]);
  expect([...loaded.faults]).toEqual([]);
  await expectEachOnce(load, loaded, query);
  expect(server.output()).not.toContain('"level":60');
});

test("Postgres is restarted after a crash under load: only 503 in between, for pages too, and the server keeps running", async () => {
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
  let calls = 0;
  const loaded = await sendAll({
    ...load,
    at({ answered }) {
      kill(answered >= 500, () => killPostgres(dataDir));
      if (calls++ % 20 === 0) lists.push(list());
    },
  });
  await Promise.all(lists);
  expect([...(loaded.statuses.get("") ?? [])].filter((one) => !EXPECTED_STATUSES.includes(Number(one)))).toEqual([]);
  expect([...(loaded.statuses.get("") ?? [])]).toContain(503);
  expect([...listed].sort(), server.faults().join("\n")).toEqual([200, 503]);
  expect([...loaded.faults]).toEqual([]);
  await expectEachOnce(load, loaded, query);
});

const RETRY = expect.objectContaining({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) });

test("Postgres crashes during copying and queries: reports answer 503 with Retry-After until it is back, then the right numbers", async () => {
  const dataDir = temporaryDir();
  const server = await serverWith({ DATA_DIR: dataDir, RATE_LIMITS: "read=100000/60" });
  const query = embedded(dataDir);
  await makeCrashSite(query, 1);
  const token = await makeToken(query, server, "analytics:read", 1);
  const readReport = () => readPageviews(server, token, 1);
  for (let n = 0; n < 100; n++) expect(await sendPageview(server, HOST, n)).toBe(202);
  await query("INSERT INTO facts.event SELECT event.* FROM facts.event, generate_series(2, 2000) WHERE site_id = 1");
  const copying = untilReady(readReport);
  const copies = "SELECT FROM pg_stat_activity WHERE query LIKE 'COPY (%facts.event%' AND pid <> pg_backend_pid()";
  await expect.poll(async () => (await query(copies)).length, { timeout: PATIENT_MS, interval: 5 }).toBeGreaterThan(0);
  killPostgres(dataDir);
  const { last, before } = await copying;
  expect(last).toMatchObject({ pageviews: 200_000 });
  for (const answer of before) expect(answer).toEqual(RETRY);
  killPostgres(dataDir);
  const calls = await Promise.all([1, 2, 3].map(() => untilReady(readReport)));
  for (const { last } of calls) expect(last).toMatchObject({ pageviews: 200_000 });
  const refused = calls.flatMap(({ before }) => before);
  expect(refused.length).toBeGreaterThan(0);
  for (const answer of refused) expect(answer).toEqual(RETRY);
  expect(await sendPageview(server, HOST, 1)).toBe(202);
  await expect.poll(async () => (await readReport()).pageviews, { timeout: PATIENT_MS }).toBe(200_001);
});

test("after a kill -9 of all processes under load each acknowledged event is stored exactly once", async () => {
  const dataDir = temporaryDir();
  const first = await startServer({ DATA_DIR: dataDir, TRUSTED_PROXIES: "127.0.0.1" });
  const keys = await makeCrashSite(embedded(dataDir), 50);
  const urls = [first.url];
  const load: Load = { urls, host: HOST, singles: 1_000, keys };
  // Like a power failure: kills the app and its Postgres. The next server starts with the files as they are.
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
  onTestFinished(async () => void (await server?.end("SIGTERM")));
  expect([...(loaded.statuses.get("") ?? [])].sort()).toContain("broken");
  expect([...loaded.faults]).toEqual([]);
  await expectEachOnce(load, loaded, embedded(dataDir));
});

test("one of two app processes is killed under load: its acknowledged events are stored once, and the other takes the rest", async () => {
  const env = { DATABASE_URL: await openedUrl(), APP_SECRETS: TEST_SECRETS };
  const servers = await Promise.all([1, 2].map(() => serverWith({ ...env, DATA_DIR: temporaryDir() })));
  const site = await makeSite();
  const query = queryOn(env.DATABASE_URL);
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
});

test("COMMITs and their responses are lost under load: failed events are stored once when they are retried, with their own id or the returned one", async () => {
  const databaseUrl = await openedUrl();
  const proxy = await startLosingProxy(databaseUrl);
  onTestFinished(() => proxy.close());
  const server = await serverWith({ DATABASE_URL: proxy.url, APP_SECRETS: TEST_SECRETS, DATA_DIR: temporaryDir() });
  const site = await makeSite();
  const query = queryOn(databaseUrl);
  const load: Load = { urls: [server.url], host: site.host, singles: 1_000, keys: await makeKeys(query, site.id, 50) };
  const loses = [200, 400, 600, 800, 1_000, 1_200].map((after, n) => ({ after, n, first: once() }));
  const loaded = await sendAll({
    ...load,
    at({ answered }) {
      // Transactions whose COMMIT was lost stay open until the next request, as they do until Postgres notices.
      proxy.closeHeld();
      for (const { after, n, first } of loses) {
        first(answered >= after, () => proxy.lose(n % 2 === 0 ? "answer" : "commit", 1));
      }
    },
  });
  proxy.closeHeld();
  expect(proxy.lost()).toBeGreaterThanOrEqual(4);
  expect([...loaded.unsure]).toEqual([]);
  expect([...(loaded.statuses.get("") ?? [])].filter((one) => !EXPECTED_STATUSES.includes(Number(one)))).toEqual([]);
  expect([...loaded.faults]).toEqual([]);
  await expectEachOnce(load, loaded, query);
});

/** Mounts a small file system in memory until the test has finished; null without root. */
function smallDisk(megabytes: number): string | null {
  const dir = mkdtempSync(path.join(os.tmpdir(), "footfall-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=755`, "tmpfs", dir], { stdio: "ignore" });
    onTestFinished(() => {
      execFileSync("umount", ["--lazy", dir]);
      rmSync(dir, { recursive: true });
    });
    return dir;
  } catch {
    rmSync(dir, { recursive: true });
    return null;
  }
}

/** Fills a disk. @returns a function that frees the space */
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

test("while the disk is full responses are 503, even without Postgres; with free space the server recovers, and each event is stored once", async ({
  skip,
}) => {
  const disk = smallDisk(400);
  if (disk === null) return skip("a small file system can be mounted only by root");
  const server = await serverWith({ DATA_DIR: disk });
  const query = embedded(disk);
  const load: Load = { urls: [server.url], host: HOST, singles: 1_000, keys: await makeCrashSite(query, 50) };
  let phase = "room";
  let freeSpace = () => {};
  const [fill, free] = [once(), once()];
  const loaded = await sendAll({
    ...load,
    phase: () => phase,
    at({ answered, refused }) {
      fill(answered >= 500, () => {
        freeSpace = fillDisk(disk);
        // Postgres then has no space for its next WAL file and shuts down.
        query("SELECT pg_switch_wal()").catch(() => {});
        phase = "filling";
      });
      if (phase === "filling" && refused >= 100) phase = "full";
      // Waits until restarting Postgres on the full disk has failed, which takes some seconds.
      free(phase === "full" && server.output().includes("PostgreSQL could not be restarted; trying again"), () => {
        phase = "freed";
        freeSpace();
      });
    },
  });
  expect([...(loaded.statuses.get("full") ?? [])]).toEqual([503]);
  expect(
    [...loaded.statuses.values()].flatMap((all) => [...all]).filter((one) => !EXPECTED_STATUSES.includes(Number(one))),
  ).toEqual([]);
  expect([...loaded.faults]).toEqual([]);
  await expectEachOnce(load, loaded, query);
});

test("a full disk blocks new and outdated report copies: 503 and one log line until there is space; events are not affected", async ({
  skip,
}) => {
  const disk = smallDisk(64);
  if (disk === null) return skip("a small file system can be mounted only by root");
  const databaseUrl = await emptyDatabase();
  await migrate(databaseUrl);
  const server = await serverWith({ DATA_DIR: disk, DATABASE_URL: databaseUrl, APP_SECRETS: TEST_SECRETS });
  const query = queryOn(databaseUrl);
  await makeCrashSite(query, 1);
  const token = await makeToken(query, server, "analytics:read", 1);
  const readReport = () => readPageviews(server, token, 1);
  expect(await sendPageview(server, HOST, 1)).toBe(202);
  const freeSpace = fillDisk(disk);
  for (let tries = 0; tries < 3; tries++)
    expect(await readReport()).toMatchObject({
      status: 503,
      retryAfter: "2",
      error: { message: expect.stringContaining("disk") },
    });
  expect(await sendPageview(server, HOST, 2)).toBe(202);
  expect(server.faults()).toEqual([expect.stringContaining("the disk is full")]);
  freeSpace();
  expect((await untilReady(readReport)).last.pageviews).toBe(2);
  // An existing copy has no space for later events.
  const freeSpaceAgain = fillDisk(disk);
  expect(await sendPageview(server, HOST, 3)).toBe(202);
  // The recent copy still answers for a while.
  await expect
    .poll(readReport, { timeout: PATIENT_MS })
    .toMatchObject({ status: 503, retryAfter: "2", error: { message: expect.stringContaining("disk") } });
  freeSpaceAgain();
  await expect.poll(async () => (await untilReady(readReport)).last.pageviews, { timeout: PATIENT_MS }).toBe(3);
});

test("case 24: while a table is locked events get 503; retried with the same ids each is stored once", async () => {
  const dataDir = temporaryDir();
  const server = await serverWith({ DATA_DIR: dataDir });
  const query = embedded(dataDir);
  const [key = ""] = await makeCrashSite(query, 1);
  const locker = new pg.Client({ connectionString: embeddedUrl(dataDir, "admin") });
  await locker.connect();
  const send = async () => {
    const post = (path: string, body: object, headers = {}) =>
      fetch(server.url + path, {
        method: "POST",
        // A person: the key for visitors of servers is sealed, and this site has none.
        headers: { "content-type": "application/json", "user-agent": CHROME, ...headers },
        body: JSON.stringify(body),
      });
    const events = ["a", "b"].map((n) => ({ type: "event", name: "Order", event_id: `while-locked-${n}` }));
    const [single, batch] = await Promise.all([
      post("/api/event", { domain: HOST, name: "Order", event_id: "while-locked-1" }),
      post("/api/v1/events", { events }, { authorization: `Bearer ${key}` }),
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
});
