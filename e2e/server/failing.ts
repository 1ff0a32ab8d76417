import { writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished } from "vitest";
import { embedded, makeCrashSite, type Query } from "@/e2e/server/crashes";
import { PATIENT_MS } from "@/lib/testing/patience";
import { type RunningServer, startServer } from "@/lib/testing/server";
import { temporaryDir } from "@/lib/testing/temporary-dir";

/** A server whose threads fail on demand, and its health. */

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

export interface Installation {
  server: RunningServer;
  env: { DATA_DIR: string };
  query: Query;
  /** The path of a file that makes a thread fail. */
  failure(name: string): string;
}

export const HOST = "health.example";

/** @param after registers what removes its folders. */
export async function install(after: (remove: () => void) => unknown = onTestFinished): Promise<Installation> {
  const folder = temporaryDir(after);
  const program = path.join(folder, "failing.mjs");
  writeFileSync(program, FAILING);
  const env = { DATA_DIR: temporaryDir(after), TRUSTED_PROXIES: "127.0.0.1" };
  const server = await startServer(env, { nodeFlags: [`--import=${pathToFileURL(program)}`] });
  const query = embedded(env.DATA_DIR);
  await makeCrashSite(query, 0, 1, HOST);
  return { server, env, query, failure: (name) => path.join(folder, name) };
}

export const healthOf = async ({ url }: RunningServer) => {
  const answer = await fetch(`${url}/api/health`);
  const { version: _, ...parts } = (await answer.json()) as Record<string, string>;
  return { http: answer.status, ...parts };
};

export const OK = { http: 200, status: "ok", database: "ok", ingest: "ok", analytics: "ok" };
export const until = (server: RunningServer, health: object) =>
  expect.poll(() => healthOf(server), { timeout: PATIENT_MS }).toEqual(health);

/** The pauses before the restarts of a part, in order. */
export const pausesOf = (server: RunningServer, part: string): number[] =>
  server
    .faults()
    .map((line) => JSON.parse(line))
    .filter((line) => line.part === part)
    .map((line) => line.pause_ms);
