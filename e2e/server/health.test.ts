import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, test as concurrent, expect, onTestFinished } from "vitest";
import { embedded, killPostgres, makeCrashSite, nextAnalyticsPid, type Query } from "@/e2e/server/crashes";
import { sendPageview } from "@/e2e/server/reports";
import { PATIENT_MS } from "@/lib/testing/patience";
import { type RunningServer, startServer } from "@/lib/testing/server";
import { temporaryDir } from "@/lib/testing/temporary-dir";

/** The server as a process whose parts fail, seen over HTTP. Sequential: the tests of parts share a server. */
const test = concurrent.sequential;

/**
 * Loaded by every thread of a server. Files in its folder make a thread fail: `<thread>-exit` for as long as it exists,
 * `<thread>-throw` and `<thread>-reject` once.
 */
const FAILING = `
  import { existsSync, rmSync, watch } from "node:fs";
  import path from "node:path";
  import { isMainThread, workerData } from "node:worker_threads";
  const folder = path.dirname(new URL(import.meta.url).pathname);
  const thread = isMainThread ? "main" : workerData?.thread;
  const take = (what) => {
    const file = path.join(folder, thread + "-" + what);
    if (!existsSync(file)) return false;
    rmSync(file, { force: true });
    return true;
  };
  const obey = () => {
    if (existsSync(path.join(folder, thread + "-exit"))) process.exit(7);
    if (take("reject")) Promise.reject(new TypeError("isRunning is not a function"));
    if (take("throw")) throw new TypeError("isRunning is not a function");
  };
  if (thread) watch(folder, () => setImmediate(obey)).unref();
  if (thread) setImmediate(obey);`;

interface Installation {
  server: RunningServer;
  env: { DATA_DIR: string };
  query: Query;
  /** The path of a file that makes a thread fail. */
  failure(name: string): string;
}

const HOST = "health.example";

/** @param after registers what removes its folders. */
async function install(after: (remove: () => void) => unknown = onTestFinished): Promise<Installation> {
  const folder = temporaryDir(after);
  const program = path.join(folder, "failing.mjs");
  writeFileSync(program, FAILING);
  const env = { DATA_DIR: temporaryDir(after), TRUSTED_PROXIES: "127.0.0.1" };
  const server = await startServer(env, { nodeFlags: [`--import=${pathToFileURL(program)}`] });
  const query = embedded(env.DATA_DIR);
  await makeCrashSite(query, 0, 1, HOST);
  return { server, env, query, failure: (name) => path.join(folder, name) };
}

const healthOf = async ({ url }: RunningServer) => {
  const answer = await fetch(`${url}/api/health`);
  const { version: _, ...parts } = (await answer.json()) as Record<string, string>;
  return { http: answer.status, ...parts };
};

const OK = { http: 200, status: "ok", database: "ok", ingest: "ok", analytics: "ok" };
const until = (server: RunningServer, health: object) =>
  expect.poll(() => healthOf(server), { timeout: PATIENT_MS }).toEqual(health);

let shared: Installation;
const removals: (() => void)[] = [];
beforeAll(async () => {
  shared = await install((remove) => removals.push(remove));
});
afterAll(async () => {
  await shared.server.end("SIGTERM");
  for (const remove of removals) remove();
});

/** The pauses before the restarts of a part, in order. */
const pausesOf = (server: RunningServer, part: string): number[] =>
  server
    .faults()
    .map((line) => JSON.parse(line))
    .filter((line) => line.part === part)
    .map((line) => line.pause_ms);

/** Runs the health check of the image against a server. @returns its exit code and what it prints */
function containerCheck({ port }: RunningServer): { code: number; printed: string } {
  const [, words = ""] = /^HEALTHCHECK [^[]*(\[.*\])$/m.exec(readFileSync("Dockerfile", "utf8")) ?? [];
  const [program = "", ...args] = JSON.parse(words) as string[];
  try {
    const env = { ...process.env, PORT: `${port}` };
    return { code: 0, printed: execFileSync(program, args, { encoding: "utf8", env }) };
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: string };
    return { code: status, printed: stdout };
  }
}

async function storedOutcomes(query: Query): Promise<number> {
  const rows = await query("SELECT coalesce(sum(hits), 0)::int AS hits FROM facts.intake WHERE outcome = 'stored'");
  return (rows[0] as { hits: number }).hits;
}

test("a fresh installation is healthy, and its boot warns of nothing", async () => {
  const { server } = shared;
  await until(server, OK);
  expect(containerCheck(server)).toMatchObject({ code: 0, printed: expect.stringContaining('"status":"ok"') });
  // Exchange rates come from the internet, which a test may not reach.
  const logged = server
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{") && !line.includes("ecb.europa.eu"));
  expect(logged).toEqual([]);
});

test("one end of the analytics process is an accident; killed again and again the service is degraded and names it, while events are stored", async () => {
  const { server } = shared;
  const first = await nextAnalyticsPid(server);
  await until(server, OK);
  process.kill(first, "SIGKILL");
  let pid = await nextAnalyticsPid(server, first);
  await until(server, OK);
  for (let kills = 0; kills < 3; kills++) {
    process.kill(pid, "SIGKILL");
    pid = await nextAnalyticsPid(server, pid);
  }
  expect(await healthOf(server)).toEqual({ ...OK, status: "degraded", analytics: "unavailable" });
  expect(await sendPageview(server, HOST, 1)).toBe(202);
  expect(containerCheck(server).code).toBe(0);
  await until(server, OK);
  expect(pausesOf(server, "analytics").slice(-3)).toSatisfy((pauses: number[]) =>
    pauses.every((pause, n) => n === 0 || pause === 2 * (pauses[n - 1] as number)),
  );
});

test("an ingest worker that exits again and again makes health 503 and named, with growing pauses, until it works again", async () => {
  const { server, failure } = shared;
  await until(server, OK);
  writeFileSync(failure("ingest-exit"), "");
  await expect.poll(() => pausesOf(server, "ingest").length, { timeout: PATIENT_MS }).toBeGreaterThan(3);
  expect(await healthOf(server)).toEqual({ ...OK, http: 503, status: "unavailable", ingest: "unavailable" });
  expect(containerCheck(server)).toMatchObject({ code: 1, printed: expect.stringContaining('"ingest":"unavailable"') });
  expect(await sendPageview(server, HOST, 1)).toBe(503);
  expect(pausesOf(server, "ingest").slice(0, 4)).toEqual([250, 500, 1000, 2000]);
  rmSync(failure("ingest-exit"));
  await until(server, OK);
  expect(await sendPageview(server, HOST, 2)).toBe(202);
});

test("a Postgres that does not answer makes health 503 and named, until it answers again", async () => {
  const { server, env } = shared;
  await until(server, OK);
  killPostgres(env.DATA_DIR, "SIGSTOP");
  await expect
    .poll(() => healthOf(server), { timeout: PATIENT_MS })
    .toMatchObject({ http: 503, database: "unavailable" });
  killPostgres(env.DATA_DIR, "SIGCONT");
  await until(server, OK);
});

test.each(["throw", "reject"])(
  "after an uncaught error in the ingest worker (%s) all acknowledged events are stored and counted, and the next worker works",
  async (how) => {
    const { server, query, failure } = shared;
    await until(server, OK);
    const ends = pausesOf(server, "ingest").length;
    const sent = await Promise.all(Array.from({ length: 20 }, (_, n) => sendPageview(server, HOST, n)));
    writeFileSync(failure(`ingest-${how}`), "");
    await expect.poll(() => pausesOf(server, "ingest").length, { timeout: PATIENT_MS }).toBe(ends + 1);
    expect(server.output()).toMatch(/"level":60,.*"message":"isRunning is not a function"/);
    expect(sent).toContain(202);
    const [events] = (await query("SELECT count(*)::int AS all FROM facts.event")) as { all: number }[];
    expect(await storedOutcomes(query)).toBe(events?.all);
    await until(server, OK);
    expect(await sendPageview(server, HOST, 1)).toBe(202);
  },
);

test.each(["throw", "reject"])(
  "after an uncaught error in the main process (%s) it answers what has begun, writes what it acknowledged and exits with 1",
  async (how) => {
    const { server, env, failure } = await install();
    onTestFinished(async () => void (server.process.exitCode === null && (await server.end("SIGKILL"))));
    await until(server, OK);
    const sent = await Promise.all(Array.from({ length: 20 }, (_, n) => sendPageview(server, HOST, n)));
    expect(sent).toEqual(sent.map(() => 202));
    const ended = once(server.process, "exit");
    writeFileSync(failure(`main-${how}`), "");
    expect(await ended).toEqual([1, null]);
    expect(server.output()).toMatch(/"level":60,.*"message":"isRunning is not a function"/);
    const next = await startServer(env);
    onTestFinished(async () => void (await next.end("SIGTERM")));
    expect(await storedOutcomes(embedded(env.DATA_DIR))).toBe(sent.length);
    await until(next, OK);
  },
);
