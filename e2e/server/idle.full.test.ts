import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { embedded, HOST, makeCrashSite, type Query } from "@/e2e/server/crashes";
import { JOBS } from "@/lib/jobs/jobs";
import { embeddedUrl } from "@/lib/postgres/start";
import { PATIENT_MS } from "@/lib/testing/patience";
import { type RunningServer, startServer } from "@/lib/testing/server";
import { temporaryDir } from "@/lib/testing/temporary-dir";

/** A server with nothing to do, seen from its Postgres. */

/** Long enough that a job which looks for work every few seconds is seen several times. */
const WINDOW_MS = 15_000;
const MOST_A_MINUTE = 10;

let server: RunningServer;
let dataDir: string;
let query: Query;
const removals: (() => void)[] = [];
beforeAll(async () => {
  dataDir = temporaryDir((remove) => removals.push(remove));
  server = await startServer({ DATA_DIR: dataDir });
  query = embedded(dataDir);
});
afterAll(async () => {
  await server.end("SIGTERM");
  for (const remove of removals) remove();
});

/** Transactions and changed job rows so far. Statistics of other connections arrive when they become idle. */
async function countsOf(client: pg.Client): Promise<{ commits: number; jobRows: number }> {
  const { rows } = await client.query(`
    SELECT xact_commit::int AS commits,
      (SELECT n_tup_upd::int FROM pg_stat_user_tables WHERE relname = 'job') AS "jobRows"
    FROM pg_stat_database WHERE datname = current_database()`);
  return rows[0];
}

test.sequential("an idle server makes fewer than 10 commits and 10 changes of job rows a minute", async () => {
  const client = new pg.Client({ connectionString: embeddedUrl(dataDir, "admin") });
  await client.connect();
  try {
    // Postgres' own upkeep of a new database is no work of the server.
    await client.query("ALTER SYSTEM SET autovacuum = off");
    await client.query("SELECT pg_reload_conf()");
    const finished = async () =>
      (
        await client.query(
          "SELECT count(*)::int AS jobs FROM job WHERE finished_at IS NOT NULL AND lease_until IS NULL",
        )
      ).rows[0].jobs;
    await expect.poll(finished, { timeout: PATIENT_MS }).toBe(JOBS.length);
    const windows = 60_000 / WINDOW_MS;
    let aMinute = { commits: Number.POSITIVE_INFINITY, jobRows: Number.POSITIVE_INFINITY };
    // Connections report what they did at the boot up to ten seconds after they became idle.
    for (let tries = 0; tries < 4 && aMinute.commits >= MOST_A_MINUTE; tries++) {
      const before = await countsOf(client);
      await setTimeout(WINDOW_MS);
      const after = await countsOf(client);
      aMinute = {
        commits: (after.commits - before.commits) * windows,
        jobRows: (after.jobRows - before.jobRows) * windows,
      };
    }
    expect(aMinute.commits).toBeLessThan(MOST_A_MINUTE);
    expect(aMinute.jobRows).toBeLessThan(MOST_A_MINUTE);
  } finally {
    await client.end();
  }
});

test.sequential("work that arrives at an idle server begins at once", async () => {
  await makeCrashSite(query, 0);
  await query("INSERT INTO monitor (site_id, next_check_at) VALUES (1, now())");
  // Nobody can read this email, and the attempt to send it is counted.
  await query(
    "INSERT INTO mail (id, content, created_at, send_after) VALUES (gen_random_uuid(), '\\x00', now(), now())",
  );
  const begun = `SELECT (SELECT attempts FROM mail) AS attempts, (SELECT host FROM monitor) AS host`;
  await expect.poll(() => query(begun), { timeout: PATIENT_MS }).toEqual([{ attempts: 1, host: HOST }]);
  // Neither waited for its interval: both rows of jobs are due far later than this test may take.
  expect(JOBS.filter(({ name }) => /^(send-mail|check-pages)$/.test(name)).map(({ everyMs }) => everyMs)).toEqual(
    [0, 0].map(() => expect.toSatisfy((ms: number) => ms > PATIENT_MS)),
  );
});
