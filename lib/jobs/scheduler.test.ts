import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { acquireJobLease, finishJob, registerJobs, renewJobLease } from "@/lib/jobs/job-leases";
import { type Job, startJobs } from "@/lib/jobs/scheduler";
import { db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { SteppedClock } from "@/lib/testing/clock";

const START = new Date("2026-11-20T12:00:00Z");
const at = (seconds: number) => new Date(START.getTime() + seconds * 1000);
const jobRow = (name: string) => db().job.findUniqueOrThrow({ where: { name } });

/** Registers a job for this test only, due immediately. */
async function registered(everyMs = 300_000): Promise<string> {
  const name = `test-${randomUUID()}`;
  await registerJobs([{ name, everyMs }], START);
  return name;
}

test("two parallel schedulers run each job once per interval", async () => {
  const runs: { name: string; at: number }[] = [];
  const job = (everyMs: number): Job => {
    const name = `test-${randomUUID()}`;
    const run = async (now: Date) => runs.push({ name, at: (now.getTime() - START.getTime()) / 1000 });
    return { name, everyMs, run };
  };
  const [often, seldom] = [job(3_000), job(20_000)];
  const clock = new SteppedClock(START);
  const running = [1, 2].map(() => startJobs([often, seldom], clock));
  await clock.pass(30_000);
  await Promise.all(running.map(({ stop }) => stop()));
  await clock.pass(60_000);
  const of = ({ name }: Job) => runs.filter((run) => run.name === name).map((run) => run.at);
  expect(of(often)).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30]);
  expect(of(seldom)).toEqual([0, 20]);
});

test("a lease belongs to one process while renewed; after it expires another takes over, and the first's result is ignored", async () => {
  const name = await registered();
  const [one, other] = await Promise.all([acquireJobLease(name, "a", at(0)), acquireJobLease(name, "b", at(0))]);
  const first = one ?? other;
  if (!first) throw new Error("No process has the lease");
  expect([one, other]).toContain(null);
  await renewJobLease(first, at(290));
  expect(await acquireJobLease(name, "c", at(349))).toBeNull();
  const second = await acquireJobLease(name, "c", at(351));
  expect(second?.number).toBe(first.number + 1);
  expect(await jobRow(name)).toMatchObject({ failures: 1, failure: expect.stringContaining("did not finish") });
  await finishJob(first, at(352));
  await renewJobLease(first, at(352));
  expect(await jobRow(name)).toMatchObject({ process: "c", failures: 1, leaseUntil: at(411), finishedAt: null });
});

test("a failure is recorded with its message and retried sooner, with growing delays, until a run succeeds", async () => {
  const name = await registered();
  const words = "Invalid `db()` invocation:\n\n  Raw query failed.\u0007 disk full";
  const fail = async (from: number, to: number) => {
    const turn = await acquireJobLease(name, "a", at(from));
    if (!turn) throw new Error("Not due");
    await finishJob(turn, at(to), { error: new RangeError(words) });
  };
  await fail(0, 2);
  expect(await jobRow(name)).toMatchObject({
    failures: 1,
    failure: "RangeError: Invalid `db()` invocation: Raw query failed. disk full",
    failedAt: at(2),
    tookMs: 2000,
    nextAt: at(62),
    leaseUntil: null,
  });
  await fail(62, 62);
  expect(await jobRow(name)).toMatchObject({ failures: 2, nextAt: at(182) });
  const turn = await acquireJobLease(name, "a", at(182));
  if (turn) await finishJob(turn, at(183));
  expect(await jobRow(name)).toMatchObject({
    failures: 0,
    failedAt: at(62),
    runs: 3,
    nextAt: at(482),
    finishedAt: at(183),
  });
});

test("a run that a shutdown interrupts is repeated by the next process and is not a failure", async () => {
  const name = await registered();
  const clock = new SteppedClock(START);
  let started = () => {};
  const running = new Promise<void>((resolve) => {
    started = resolve;
  });
  const run = () => {
    started();
    return new Promise(() => {});
  };
  const { stop } = startJobs([{ name, everyMs: 300_000, run, interruptible: true }], clock);
  void clock.pass(0);
  await running;
  await stop();
  expect(await acquireJobLease(name, "b", at(1))).toMatchObject({ number: 2 });
  expect(await jobRow(name)).toMatchObject({ failures: 0 });
});

test("a job whose interval became shorter does not wait for the longer one", async () => {
  const name = await registered(DAY_MS);
  const turn = await acquireJobLease(name, "a", START);
  if (turn) await finishJob(turn, START);
  await registerJobs([{ name, everyMs: 60_000 }], START);
  expect(await jobRow(name)).toMatchObject({ everyMs: 60_000, nextAt: at(60) });
});

/** A job whose runs are noted in seconds since the start, and what it says of the work that waits. */
function noted(work: { nextAt: Date | null; during?: () => void }) {
  const runs: number[] = [];
  const name = `test-${randomUUID()}`;
  const run = async (now: Date) => {
    runs.push((now.getTime() - START.getTime()) / 1000);
    work.during?.();
  };
  return { runs, job: { name, everyMs: 600_000, run, nextAt: async () => work.nextAt } satisfies Job };
}

test("a job with a long interval runs at once when new work wakes it, and again when work arrived during the run", async () => {
  const clock = new SteppedClock(START);
  const work: Parameters<typeof noted>[0] = { nextAt: null };
  const { runs, job } = noted(work);
  const other = noted({ nextAt: null });
  const { wake, stop } = startJobs([job, other.job], clock);
  await clock.pass(100_000);
  expect(runs).toEqual([0]);
  wake(job.name);
  wake("a job of another version");
  await clock.pass(1_000);
  expect(runs).toEqual([0, 100]);
  work.during = () => {
    delete work.during;
    wake(job.name);
  };
  wake(job.name);
  await clock.pass(60_000);
  expect(runs).toEqual([0, 100, 101, 101]);
  wake();
  await clock.pass(3_000);
  expect(runs).toEqual([0, 100, 101, 101, 161]);
  expect(other.runs).toEqual([0, 161]);
  await stop();
});

test("a job runs when the work that waits is due, and at its interval when none waits", async () => {
  const clock = new SteppedClock(START);
  const work: Parameters<typeof noted>[0] = { nextAt: at(60) };
  const { runs, job } = noted(work);
  const { stop } = startJobs([job], clock);
  await clock.pass(59_000);
  work.nextAt = null;
  await clock.pass(700_000);
  expect(runs).toEqual([0, 60, 660]);
  await stop();
});

test("a job that another process runs while it is woken runs here once that process has finished or died", async () => {
  const clock = new SteppedClock(START);
  const { runs, job } = noted({ nextAt: null });
  await registerJobs([job], START);
  await acquireJobLease(job.name, "a process that dies", START);
  const { wake, stop } = startJobs([job], clock);
  await clock.pass(1_000);
  wake(job.name);
  await clock.pass(70_000);
  expect(runs).toHaveLength(1);
  expect(runs[0]).toBeGreaterThanOrEqual(60);
  expect(runs[0]).toBeLessThan(65);
  await stop();
});
