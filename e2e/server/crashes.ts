import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { onTestFinished } from "vitest";
import type { readPageviews } from "@/e2e/server/reports";
import { digest, freshSecret } from "@/lib/platform/secrets";
import { embeddedUrl } from "@/lib/postgres/start";
import { type RunningServer, startServer } from "@/lib/testing/server";

/** What tests of crashes need: an installation with a site, and ways to kill its parts. */

export const HOST = "crash.example";

/** Starts a server that trusts `X-Forwarded-For`, until the test has finished. */
export async function serverWith(env: Record<string, string>): Promise<RunningServer> {
  const server = await startServer({ TRUSTED_PROXIES: "127.0.0.1", ...env });
  onTestFinished(async () => void (await server.end("SIGTERM")));
  return server;
}

export type Query = (sql: string) => Promise<unknown[]>;

/** Returns a query function with a new connection per query, so that it survives restarts of Postgres. */
export const queryOn =
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

/** Returns a query function for a server's embedded Postgres. */
export const embedded = (dataDir: string): Query => queryOn(embeddedUrl(dataDir, "admin"));

/** Creates a site of an installation. @param keys number of ingest keys @returns the keys */
export async function makeCrashSite(query: Query, keys: number, id = 1, host = HOST): Promise<string[]> {
  await query(`INSERT INTO site (id, timezone, user_key) VALUES (${id}, 'UTC', '\\x');
               INSERT INTO site_domain (site_id, host, is_primary) VALUES (${id}, '${host}', true)`);
  return keys > 0 ? makeKeys(query, id, keys) : [];
}

export async function makeKeys(query: Query, siteId: number, count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, () => `ffk_${freshSecret()}`);
  const rows = keys.map((key) => `(${siteId}, 'Test', '\\x${digest(key).toString("hex")}', '${key.slice(-4)}', now())`);
  await query(`INSERT INTO ingest_key (site_id, name, hash, hint, created_at) VALUES ${rows.join(", ")}`);
  return keys;
}

/** Returns a function that runs `work` the first time that the condition is true. */
export function once(): (condition: boolean, work: () => unknown) => void {
  let done = false;
  return (condition, work) => {
    if (!condition || done) return;
    done = true;
    work();
  };
}

/** Sends a signal to Postgres and all of its child processes. */
export function killPostgres(dataDir: string, signal: NodeJS.Signals = "SIGKILL"): void {
  const postmaster = Number(readFileSync(path.join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n")[0]);
  const children = execFileSync("ps", ["-o", "pid=", "--ppid", `${postmaster}`], { encoding: "utf8" });
  for (const pid of [postmaster, ...children.trim().split(/\s+/).map(Number)]) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has exited already.
    }
  }
}

/** Creates a machine client with a token of this scope. @param siteId a site that it can read */
export async function makeToken(query: Query, server: RunningServer, scope: string, siteId?: number): Promise<string> {
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

export type Answer = Awaited<ReturnType<typeof readPageviews>>;

/** Repeats a query until it succeeds. @returns the last response and the ones before it */
export async function untilReady(readReport: () => Promise<Answer>): Promise<{ last: Answer; before: Answer[] }> {
  const before: Answer[] = [];
  for (;;) {
    const last = await readReport();
    if (last.status === 200) return { last, before };
    before.push(last);
    await setTimeout(50);
  }
}

/** Pid of a server's analytics process; null while there is none. */
export function analyticsPid(server: RunningServer): number | null {
  const all = execFileSync("ps", ["-e", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  const ofServer = new RegExp(`^\\s*\\d+\\s+${server.process.pid}\\s.*build/analytics\\.mjs`);
  const line = all.split("\n").find((one) => ofServer.test(one));
  return line ? Number.parseInt(line, 10) : null;
}

/** Waits for the analytics process, or for the one that follows the previous. */
export async function nextAnalyticsPid(server: RunningServer, previous: number | null = null): Promise<number> {
  for (;;) {
    const pid = analyticsPid(server);
    if (pid !== null && pid !== previous) return pid;
    await setTimeout(10);
  }
}
