import { expect, test } from "vitest";
import { JOBS } from "@/lib/jobs/jobs";
import { startJobs } from "@/lib/jobs/scheduler";
import { closeDatabase, db, openDatabase } from "@/lib/platform/db";
import { HOUR_MS } from "@/lib/platform/durations";
import { SteppedClock } from "@/lib/testing/clock";
import { connected, migratedDatabase, openTestDatabase } from "@/lib/testing/database";
import { dnsForTests } from "@/lib/testing/internet";
import { makeSite } from "@/lib/testing/world";

// Exchange rates come from names that nobody has here.
dnsForTests();

/** Transactions and changed job rows of a database, which it counts once its connections are closed. */
async function countsOf(url: string): Promise<{ commits: number; jobRows: number }> {
  await closeDatabase();
  const [counts] = await connected(url, async (client) => {
    const { rows } = await client.query<{ commits: number; jobRows: number }>(`
      SELECT xact_commit::int AS commits,
        (SELECT n_tup_upd::int FROM pg_stat_user_tables WHERE relname = 'job') AS "jobRows"
      FROM pg_stat_database WHERE datname = current_database()`);
    return rows;
  });
  openDatabase(url);
  return counts as { commits: number; jobRows: number };
}

test.sequential("the jobs of an idle service make fewer than 10 commits and 10 changes of job rows a minute", async () => {
  const url = await migratedDatabase();
  await closeDatabase();
  openDatabase(url);
  const clock = new SteppedClock(new Date());
  const { stop } = startJobs(JOBS, clock);
  try {
    await makeSite();
    await clock.pass(HOUR_MS);
    const before = await countsOf(url);
    await clock.pass(HOUR_MS);
    const after = await countsOf(url);
    expect(await db().job.count({ where: { runs: { gt: 1 } } })).toBeGreaterThan(JOBS.length / 2);
    const aMinute = { commits: (after.commits - before.commits) / 60, jobRows: (after.jobRows - before.jobRows) / 60 };
    expect(aMinute.commits).toBeLessThan(10);
    expect(aMinute.jobRows).toBeLessThan(10);
  } finally {
    await stop();
    await closeDatabase();
    openTestDatabase();
  }
});
