import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { DuckDBInstance } from "@duckdb/node-api";
import { test as concurrent, expect, inject, onTestFinished } from "vitest";
import { AnalyticsProcess } from "@/lib/analytics/engine/client";
import { db } from "@/lib/platform/db";
import { connected } from "@/lib/testing/database";
import { type RunningServer, startNext, startServer } from "@/lib/testing/server";
import { CHROME, makeClient, makeSite, send, TEST_SECRETS, type TestSite } from "@/lib/testing/world";

/** What happens to reports when the analytics process ends: the built server and real kills. One after the other. */
const test = concurrent.sequential;

const METRICS_TOKEN = "a-secret-of-the-analytics-tests";

function temporaryDir(): string {
  const dir = mkdtempSync(path.join(os.tmpdir(), "footfall-analytics-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

async function started(start = startServer, dataDir = temporaryDir()) {
  const server = await start({
    DATABASE_URL: inject("databaseUrl"),
    REPORTS_DATABASE_URL: inject("reportsUrl"),
    APP_SECRETS: TEST_SECRETS,
    DATA_DIR: dataDir,
    TRUSTED_PROXIES: "127.0.0.1",
    // Of the tokens that tests issue.
    BASE_URL: "http://localhost:3000",
    ALLOWED_HOSTS: "127.0.0.1",
    REPORT_SECONDS: "3600",
    RATE_LIMITS: "read=100000/60",
    LOG_LEVEL: "info",
    METRICS_TOKEN,
  });
  onTestFinished(async () => void (await server.end("SIGTERM")), 30_000);
  return { server, dataDir };
}

/** The analytics process of a server; null while there is none. */
function analyticsPid(server: RunningServer): number | null {
  const all = execFileSync("ps", ["-e", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  const ofServer = new RegExp(`^\\s*\\d+\\s+${server.process.pid}\\s.*build/analytics\\.mjs`);
  const line = all.split("\n").find((one) => ofServer.test(one));
  return line ? Number.parseInt(line, 10) : null;
}

async function nextAnalyticsPid(server: RunningServer, than: number | null = null): Promise<number> {
  for (;;) {
    const pid = analyticsPid(server);
    if (pid !== null && pid !== than) return pid;
    await setTimeout(10);
  }
}

/** The different priorities of a process's threads. */
function nicenessOf(pid: number): string[] {
  const threads = execFileSync("ps", ["-L", "-o", "ni=", "-p", `${pid}`], { encoding: "utf8" });
  return [...new Set(threads.trim().split(/\s+/))];
}

/** Asks for the pageviews of the last day. */
async function reader(server: RunningServer, site: TestSite) {
  const { token } = await makeClient({ scopes: ["analytics:read"], sites: [site], personId: site.ownerId });
  const ask = async () => {
    const url = `${server.url}/api/v1/management/actions/analytics.overview?site_id=${site.id}&period=24h`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const body = await response.json();
    return {
      status: response.status,
      retryAfter: response.headers.get("retry-after"),
      error: body.error,
      pageviews: body.data?.metrics.pageviews,
    };
  };
  /** Repeats the call as clients should. */
  const patiently = async () => {
    for (;;) {
      const answer = await ask();
      if (answer.status !== 503) return answer;
      await setTimeout(200);
    }
  };
  return { ask, patiently };
}

async function view(server: RunningServer, site: TestSite, n: number): Promise<number> {
  const { status } = await fetch(`${server.url}/api/event`, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": CHROME, "x-forwarded-for": `198.51.100.${n % 250}` },
    body: JSON.stringify({ domain: site.host, name: "pageview", url: `https://${site.host}/${n % 10}` }),
  });
  return status;
}

const metricsOf = async (server: RunningServer): Promise<string> => {
  const response = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  return response.text();
};

/** Repeats the events of a site, so that copying takes a while. */
const multiply = (site: TestSite, times: number) =>
  connected(inject("databaseUrl"), (client) =>
    client.query("INSERT INTO facts.event SELECT event.* FROM facts.event, generate_series(2, $2) WHERE site_id = $1", [
      site.id,
      times,
    ]),
  );

for (const [name, start] of [
  ["npm start", startServer],
  ["next start", startNext],
] as const) {
  test(`${name}: queries survive a kill -9 of the analytics process, and events do not notice it`, async () => {
    const { server, dataDir } = await started(start);
    const site = await makeSite();
    const { ask, patiently } = await reader(server, site);
    for (let n = 0; n < 20; n++) expect(await view(server, site, n)).toBe(202);
    expect(await patiently()).toMatchObject({ status: 200, pageviews: 20 });
    expect(nicenessOf(await nextAnalyticsPid(server))).toEqual(["10"]);
    let sent = 20;
    let isOver = false;
    const statuses = new Set<number>();
    const sender = async () => {
      for (; !isOver; await setTimeout(5)) statuses.add(await view(server, site, sent++));
    };
    const answers: Awaited<ReturnType<typeof ask>>[] = [];
    const asker = async () => {
      while (!isOver) answers.push(await ask());
    };
    const work = [sender(), asker(), asker(), asker()];
    try {
      let pid = await nextAnalyticsPid(server);
      for (let kill = 0; kill < 3; kill++) {
        process.kill(pid, "SIGKILL");
        pid = await nextAnalyticsPid(server, pid);
        await setTimeout(700);
      }
      await expect.poll(() => answers.some(({ status }) => status === 200), { timeout: 30_000 }).toBe(true);
    } finally {
      isOver = true;
      await Promise.all(work);
    }
    expect([...statuses]).toEqual([202]);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    const others = answers.filter(({ status }) => status !== 200);
    expect(others.filter(({ status, retryAfter }) => status !== 503 || !retryAfter)).toEqual([]);
    await setTimeout(1_100);
    expect(await patiently()).toMatchObject({ status: 200, pageviews: sent });
    expect(readdirSync(path.join(dataDir, "analytics"))).toEqual(["0"]);
    const metrics = await metricsOf(server);
    expect(metrics).toMatch(/^footfall_analytics_restarts_total 3$/m);
    expect(metrics).toMatch(/^footfall_analytics_resident_memory_bytes \d{8,}$/m);
    expect(metrics).toMatch(/^footfall_analytics_copying_seconds_total [\d.]+$/m);
    expect(metrics).toMatch(/^footfall_analytics_queries_total\{outcome="answered"\} \d+$/m);
    expect(metrics).toMatch(/^footfall_analytics_queries_running 0$/m);
  });
}

test("a kill -9 during copying costs time only: callers get their progress and 503, then the right numbers", async () => {
  const { server } = await started();
  const site = await makeSite();
  const { ask, patiently } = await reader(server, site);
  for (let n = 0; n < 100; n++) expect(await view(server, site, n)).toBe(202);
  await multiply(site, 2_200);
  const pid = await nextAnalyticsPid(server);
  const first = ask();
  await setTimeout(400);
  process.kill(pid, "SIGKILL");
  expect(await view(server, site, 1)).toBe(202);
  const answer = await first;
  expect([200, 503]).toContain(answer.status);
  const again = await ask();
  if (again.status === 503) {
    expect(again.retryAfter).toBe("2");
    expect(again.error).toMatchObject({ code: "unavailable", details: { progress: expect.any(Number) } });
  }
  await nextAnalyticsPid(server, pid);
  expect(await patiently()).toMatchObject({ status: 200, pageviews: 220_001 });
});

/** Waits until a process has ended. */
async function ended(pid: number): Promise<void> {
  while (existsSync(`/proc/${pid}`)) await setTimeout(10);
}

/** Waits until many events are on their way into a copy. */
async function copyBegan(dataDir: string): Promise<void> {
  const folder = path.join(dataDir, "analytics", "0", "temporary");
  const sizeOf = (name: string) => statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
  while (!readdirSync(folder).some((name) => sizeOf(name) > 2 ** 20)) await setTimeout(5);
}

/** Makes a file one of another version. */
async function makeOlder(file: string): Promise<void> {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await connection.run("UPDATE state SET version = version - 1");
  connection.closeSync();
  instance.closeSync();
}

test("a server that is killed while sites are copied and asked leaves what its successor answers from; a damaged file and one of another version are made again, with one line in the log", async () => {
  const { server, dataDir } = await started();
  const sites = [await makeSite(), await makeSite(), await makeSite(), await makeSite()] as const;
  const [large, damaged, older, whole] = sites;
  for (const site of sites) expect(await view(server, site, 1)).toBe(202);
  await multiply(large, 40_000);
  for (const site of sites.slice(1)) expect((await (await reader(server, site)).patiently()).pageviews).toBe(1);
  const { ask } = await reader(server, whole);
  const answers: Awaited<ReturnType<typeof ask>>[] = [];
  let isOver = false;
  const asker = async () => {
    while (!isOver)
      await ask().then(
        (answer) => answers.push(answer),
        () => (isOver = true),
      );
  };
  const asking = [asker(), asker(), (await reader(server, large)).ask().catch(() => {})];
  await copyBegan(dataDir);
  const pid = await nextAnalyticsPid(server);
  await server.end("SIGKILL");
  await Promise.all([...asking, ended(pid)]);
  for (const answer of answers) expect(answer).toMatchObject({ status: 200, pageviews: 1 });
  const fileOf = (site: TestSite) => path.join(dataDir, "analytics", "0", `${site.id}.duckdb`);
  writeFileSync(fileOf(damaged), "not a database ".repeat(1_000));
  await makeOlder(fileOf(older));
  const { server: next } = await started(startServer, dataDir);
  for (const site of sites) {
    const { patiently } = await reader(next, site);
    const asked = await Promise.all([patiently(), patiently(), patiently()]);
    for (const { pageviews } of asked) expect(pageviews).toBe(site === large ? 40_000 : 1);
    expect(await view(next, site, 2)).toBe(202);
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

test("two analytics processes that share a data folder work in folders of their own, and a deleted site leaves both", async () => {
  const root = temporaryDir();
  const [site, gone] = [await makeSite(), await makeSite()];
  for (const one of [site, gone]) for (const page of ["/a", "/b"]) await send(one, page);
  const open = {
    root,
    databaseUrl: inject("reportsUrl"),
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
  const ask = ({ id: siteId }: TestSite, process: AnalyticsProcess) =>
    process.query({ siteId, timezone: "UTC" }, [{ sql: "SELECT count(*) AS events FROM event", values: [] }]);
  const folders = (one: TestSite) =>
    ["0", "1"].filter((folder) => existsSync(path.join(root, folder, `${one.id}.duckdb`)));
  const processes = [start(), start()];
  const all = processes.flatMap((process) => [ask(site, process), ask(gone, process)]);
  for (const [rows] of await Promise.all(all)) expect(rows).toEqual([{ events: 2 }]);
  expect([folders(site), folders(gone)]).toEqual([
    ["0", "1"],
    ["0", "1"],
  ]);
  await processes[1]?.forget(gone.id);
  expect([folders(site), folders(gone)]).toEqual([["0", "1"], []]);
  await send(site, "/c");
  const later = await Promise.all(processes.map((process) => ask(site, process)));
  for (const [rows] of later) expect(rows).toEqual([{ events: 3 }]);
  // A process that starts knows of no site at all.
  start(async () => []).start();
  while (folders(site).length > 0) await setTimeout(10);
});

test("the analytics process ends with its server, also when that is killed, and the next server takes its files over", async () => {
  const { server, dataDir } = await started();
  const site = await makeSite();
  await view(server, site, 1);
  expect(await (await reader(server, site)).patiently()).toMatchObject({ pageviews: 1 });
  const pid = await nextAnalyticsPid(server);
  await server.end("SIGKILL");
  for (let tries = 0; existsSync(`/proc/${pid}`); tries++) {
    expect(tries).toBeLessThan(300);
    await setTimeout(10);
  }
  const file = path.join(dataDir, "analytics", "0", `${site.id}.duckdb`);
  expect(existsSync(file)).toBe(true);
  await db().site.delete({ where: { id: site.id } });
  const next = await startServer({
    DATABASE_URL: inject("databaseUrl"),
    APP_SECRETS: TEST_SECRETS,
    DATA_DIR: dataDir,
  });
  onTestFinished(async () => void (await next.end("SIGTERM")), 30_000);
  while (existsSync(file)) await setTimeout(20);
  const second = await nextAnalyticsPid(next);
  expect(await next.end("SIGTERM")).toBe(0);
  expect(existsSync(`/proc/${second}`)).toBe(false);
});
