import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { DuckDBInstance } from "@duckdb/node-api";
import { test as concurrent, expect, onTestFinished } from "vitest";
import { nextAnalyticsPid } from "@/e2e/server/crashes";
import { readPageviews, sendPageview } from "@/e2e/server/reports";
import { AnalyticsProcess } from "@/lib/analytics/engine/client";
import { db } from "@/lib/platform/db";
import { connected, databaseForTests } from "@/lib/testing/database";
import { openedUrl } from "@/lib/testing/opened-url";
import { PATIENT_MS } from "@/lib/testing/patience";
import { type RunningServer, startNext, startServer } from "@/lib/testing/server";
import { temporaryDir } from "@/lib/testing/temporary-dir";
import { makeClient, makeSite, send, TEST_SECRETS, type TestSite } from "@/lib/testing/world";

/** Reports while the analytics process is killed, with the built server. Sequential. */
const test = concurrent.sequential;

// The jobs of the servers would do the work of other tests, such as sending their email.
databaseForTests();

const PATIENT = { timeout: PATIENT_MS };
const METRICS_TOKEN = "a-secret-of-the-analytics-tests";

async function started(start = startServer, dataDir = temporaryDir()) {
  const server = await start({
    DATABASE_URL: await openedUrl(),
    APP_SECRETS: TEST_SECRETS,
    DATA_DIR: dataDir,
    TRUSTED_PROXIES: "127.0.0.1",
    // The base URL for which tests issue tokens.
    BASE_URL: "http://localhost:3000",
    ALLOWED_HOSTS: "127.0.0.1",
    REPORT_SECONDS: "3600",
    RATE_LIMITS: "read=100000/60",
    LOG_LEVEL: "info",
    METRICS_TOKEN,
  });
  onTestFinished(async () => void (await server.end("SIGTERM")));
  return { server, dataDir };
}

/** Distinct nice values of a process's threads. */
function nicenessOf(pid: number): string[] {
  const threads = execFileSync("ps", ["-L", "-o", "ni=", "-p", `${pid}`], { encoding: "utf8" });
  return [...new Set(threads.trim().split(/\s+/))];
}

/** Returns functions that query the pageviews of the last day. */
async function reportReader(server: RunningServer, site: TestSite) {
  const { token } = await makeClient({ scopes: ["analytics:read"], sites: [site], personId: site.ownerId });
  const query = () => readPageviews(server, token, site.id);
  /** Repeats the query while the response is 503, as clients should. */
  const untilReady = async () => {
    for (;;) {
      const answer = await query();
      if (answer.status !== 503) return answer;
      await setTimeout(200);
    }
  };
  return { query, untilReady };
}

const metricsOf = async (server: RunningServer): Promise<string> => {
  const response = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  return response.text();
};

/** Duplicates the events of a site, so that copying takes a while. */
const multiplyEvents = async (site: TestSite, times: number) =>
  connected(await openedUrl(), (client) =>
    client.query("INSERT INTO facts.event SELECT event.* FROM facts.event, generate_series(2, $2) WHERE site_id = $1", [
      site.id,
      times,
    ]),
  );

for (const [name, start] of [
  ["npm start", startServer],
  ["next start", startNext],
] as const) {
  test(`${name}: reports recover from a kill -9 of the analytics process, and events are not affected`, async () => {
    const { server, dataDir } = await started(start);
    const site = await makeSite();
    const { query, untilReady } = await reportReader(server, site);
    for (let n = 0; n < 20; n++) expect(await sendPageview(server, site.host, n)).toBe(202);
    expect(await untilReady()).toMatchObject({ status: 200, pageviews: 20 });
    expect(nicenessOf(await nextAnalyticsPid(server))).toEqual(["10"]);
    let sent = 20;
    let isOver = false;
    const statuses = new Set<number>();
    const sender = async () => {
      for (; !isOver; await setTimeout(5)) statuses.add(await sendPageview(server, site.host, sent++));
    };
    const answers: Awaited<ReturnType<typeof query>>[] = [];
    const reader = async () => {
      while (!isOver) answers.push(await query());
    };
    const work = [sender(), reader(), reader(), reader()];
    try {
      let pid = await nextAnalyticsPid(server);
      for (let kill = 0; kill < 3; kill++) {
        process.kill(pid, "SIGKILL");
        pid = await nextAnalyticsPid(server, pid);
        const before = answers.length;
        await expect.poll(() => answers.slice(before).some(({ status }) => status === 200), PATIENT).toBe(true);
      }
    } finally {
      isOver = true;
      await Promise.all(work);
    }
    expect([...statuses]).toEqual([202]);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    const others = answers.filter(({ status }) => status !== 200);
    expect(others.filter(({ status, retryAfter }) => status !== 503 || !retryAfter)).toEqual([]);
    await expect.poll(untilReady, PATIENT).toMatchObject({ status: 200, pageviews: sent });
    expect(readdirSync(path.join(dataDir, "analytics"))).toEqual(["0"]);
    const metrics = await metricsOf(server);
    expect(metrics).toMatch(/^footfall_analytics_restarts_total 3$/m);
    expect(metrics).toMatch(/^footfall_analytics_resident_memory_bytes \d{8,}$/m);
    expect(metrics).toMatch(/^footfall_analytics_copying_seconds_total [\d.]+$/m);
    expect(metrics).toMatch(/^footfall_analytics_queries_total\{outcome="answered"\} \d+$/m);
    expect(metrics).toMatch(/^footfall_analytics_queries_running 0$/m);
  });
}

test("a kill -9 during copying only causes a delay: callers get 503 with progress, then the right numbers", async () => {
  const { server, dataDir } = await started();
  const site = await makeSite();
  const { query, untilReady } = await reportReader(server, site);
  for (let n = 0; n < 100; n++) expect(await sendPageview(server, site.host, n)).toBe(202);
  await multiplyEvents(site, 2_200);
  const pid = await nextAnalyticsPid(server);
  const first = query();
  await copyStarted(dataDir);
  process.kill(pid, "SIGKILL");
  expect(await sendPageview(server, site.host, 1)).toBe(202);
  const answer = await first;
  expect([200, 503]).toContain(answer.status);
  const again = await query();
  if (again.status === 503) {
    expect(again.retryAfter).toBe("2");
    expect(again.error).toMatchObject({ code: "unavailable", details: { progress: expect.any(Number) } });
  }
  await nextAnalyticsPid(server, pid);
  expect(await untilReady()).toMatchObject({ status: 200, pageviews: 220_001 });
});

/** Waits until a process has exited. */
async function ended(pid: number): Promise<void> {
  while (existsSync(`/proc/${pid}`)) await setTimeout(10);
}

/** Waits until more than 1 MB of events is being copied. */
async function copyStarted(dataDir: string): Promise<void> {
  const folder = path.join(dataDir, "analytics", "0", "temporary");
  const sizeOf = (name: string) => statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
  while (!readdirSync(folder).some((name) => sizeOf(name) > 2 ** 20)) await setTimeout(5);
}

/** Marks a report copy as created by an older version. */
async function makeOutdated(file: string): Promise<void> {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await connection.run("UPDATE state SET version = version - 1");
  connection.closeSync();
  instance.closeSync();
}

test("after a kill during copying and queries the next server uses the files; damaged and outdated ones are recreated with one log line each", async () => {
  const { server, dataDir } = await started();
  const sites = [await makeSite(), await makeSite(), await makeSite(), await makeSite()] as const;
  const [large, damaged, older, whole] = sites;
  for (const site of sites) expect(await sendPageview(server, site.host, 1)).toBe(202);
  await multiplyEvents(large, 40_000);
  for (const site of sites.slice(1)) expect((await (await reportReader(server, site)).untilReady()).pageviews).toBe(1);
  const { query } = await reportReader(server, whole);
  const answers: Awaited<ReturnType<typeof query>>[] = [];
  let isOver = false;
  const reader = async () => {
    while (!isOver)
      await query().then(
        (answer) => answers.push(answer),
        () => (isOver = true),
      );
  };
  const queries = [reader(), reader(), (await reportReader(server, large)).query().catch(() => {})];
  await copyStarted(dataDir);
  const pid = await nextAnalyticsPid(server);
  await server.end("SIGKILL");
  await Promise.all([...queries, ended(pid)]);
  for (const answer of answers) expect(answer).toMatchObject({ status: 200, pageviews: 1 });
  const fileOf = (site: TestSite) => path.join(dataDir, "analytics", "0", `${site.id}.duckdb`);
  writeFileSync(fileOf(damaged), "not a database ".repeat(1_000));
  await makeOutdated(fileOf(older));
  const { server: next } = await started(startServer, dataDir);
  for (const site of sites) {
    const { untilReady } = await reportReader(next, site);
    const responses = await Promise.all([untilReady(), untilReady(), untilReady()]);
    for (const { pageviews } of responses) expect(pageviews).toBe(site === large ? 40_000 : 1);
    expect(await sendPageview(next, site.host, 2)).toBe(202);
  }
  const linesOf = (site: TestSite) =>
    next
      .output()
      .split("\n")
      .filter((line) => line.includes(`"site_id":${site.id},`) && line.includes("made again"));
  expect(linesOf(damaged)).toEqual([expect.stringContaining("cannot be opened")]);
  expect(linesOf(older)).toEqual([expect.stringContaining("is outdated")]);
  expect(linesOf(whole)).toEqual([]);
});

test("two analytics processes that share a data folder use separate folders, and a deleted site is removed from both", async () => {
  const root = temporaryDir();
  const [site, deleted] = [await makeSite(), await makeSite()];
  for (const one of [site, deleted]) for (const page of ["/a", "/b"]) await send(one, page);
  const open = {
    root,
    databaseUrl: await openedUrl(),
    memoryMegabytes: 256,
    threads: 1,
    maxAgeMs: 0,
    waitForCopyMs: 60_000,
    logLevel: "silent",
  };
  const start = (siteIds?: () => Promise<number[]>) => {
    const started = new AnalyticsProcess({
      program: path.resolve("build/analytics.mjs"),
      open,
      ...(siteIds && { siteIds }),
    });
    onTestFinished(() => started.close());
    return started;
  };
  const query = ({ id: siteId }: TestSite, process: AnalyticsProcess) =>
    process.query({ siteId, timezone: "UTC" }, [{ sql: "SELECT count(*) AS events FROM event", values: [] }]);
  const folders = (one: TestSite) =>
    ["0", "1"].filter((folder) => existsSync(path.join(root, folder, `${one.id}.duckdb`)));
  const processes = [start(), start()];
  const all = processes.flatMap((process) => [query(site, process), query(deleted, process)]);
  for (const [rows] of await Promise.all(all)) expect(rows).toEqual([{ events: 2 }]);
  expect([folders(site), folders(deleted)]).toEqual([
    ["0", "1"],
    ["0", "1"],
  ]);
  await processes[1]?.forget(deleted.id);
  expect([folders(site), folders(deleted)]).toEqual([["0", "1"], []]);
  await send(site, "/c");
  const later = await Promise.all(processes.map((process) => query(site, process)));
  for (const [rows] of later) expect(rows).toEqual([{ events: 3 }]);
  // A new process with no known sites deletes all copies.
  start(async () => []).start();
  while (folders(site).length > 0) await setTimeout(10);
});

test("the analytics process exits with its server, also after a kill, and the next server reuses its files", async () => {
  const { server, dataDir } = await started();
  const site = await makeSite();
  await sendPageview(server, site.host, 1);
  expect(await (await reportReader(server, site)).untilReady()).toMatchObject({ pageviews: 1 });
  const pid = await nextAnalyticsPid(server);
  await server.end("SIGKILL");
  await ended(pid);
  const file = path.join(dataDir, "analytics", "0", `${site.id}.duckdb`);
  expect(existsSync(file)).toBe(true);
  await db().site.delete({ where: { id: site.id } });
  const next = await startServer({
    DATABASE_URL: await openedUrl(),
    APP_SECRETS: TEST_SECRETS,
    DATA_DIR: dataDir,
  });
  onTestFinished(async () => void (await next.end("SIGTERM")));
  while (existsSync(file)) await setTimeout(20);
  const second = await nextAnalyticsPid(next);
  expect(await next.end("SIGTERM")).toBe(0);
  expect(existsSync(`/proc/${second}`)).toBe(false);
});
