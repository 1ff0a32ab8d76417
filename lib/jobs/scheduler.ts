import os from "node:os";
import {
  acquireJobLease,
  finishJob,
  type JobLease,
  type JobResult,
  LEASE_MS,
  nextCheckAt,
  registerJobs,
  releaseJobLease,
  renewJobLease,
} from "@/lib/jobs/job-leases";
import { describeError, log } from "@/lib/platform/log";

/**
 * A periodic job, run by one process at a time. A lease can expire while its process is only slow, so concurrent runs
 * must be harmless.
 */
export interface Job {
  name: string;
  everyMs: number;
  run(now: Date): Promise<unknown>;
  /** When work that already waits is due; null when none waits. Without it, a job runs once per interval. */
  nextAt?(now: Date): Promise<Date | null>;
  /** The job can be interrupted without loss, so a shutdown does not wait for it. */
  interruptible?: true;
}

/** Time and timers; tests pass a fake one. */
export interface Clock {
  now(): Date;
  /** @returns a function that cancels the timer. */
  after(ms: number, work: () => Promise<void>): () => void;
}

const REAL: Clock = {
  now: () => new Date(),
  after(ms, work) {
    const timer = setTimeout(() => void work(), ms).unref();
    return () => clearTimeout(timer);
  },
};

/** How long a run's lease is renewed. A longer run has probably hung, and another one starts. */
const MAX_RUN_MS = 3600_000;
/** Minimum wait between two checks of a job that nothing wakes. */
const MIN_WAIT_MS = 3_000;

interface RunningJobs {
  /** New work waits for the job of this name, or may wait for any job when no name is given. */
  wake(name?: string): void;
  /** Stops the scheduler and waits for running jobs that are not interruptible. */
  stop(): Promise<void>;
}

/**
 * Starts the scheduler. Due jobs run one after the other at first, to leave connections for requests; later each job
 * runs when it is due or woken, unless another process runs it.
 */
export function startJobs(jobs: readonly Job[], clock: Clock = REAL): RunningJobs {
  const scheduler = new Scheduler(clock);
  for (const job of jobs) scheduler.plan(job, job.everyMs);
  clock.after(0, () => scheduler.begin(jobs));
  return {
    wake: (name) => {
      for (const job of jobs) if (name === undefined ? job.nextAt : job.name === name) scheduler.wake(job);
    },
    stop: () => scheduler.stop(),
  };
}

/** A check of a job, with its lease once it runs. */
interface Check {
  job: Job;
  lease: JobLease | null;
}

class Scheduler {
  private readonly process = `${os.hostname()}:${process.pid}`;
  private readonly planned = new Map<Job, () => void>();
  private readonly checks = new Map<Check, Promise<void>>();
  /** Jobs whose new work no run of this process has looked at yet. */
  private readonly woken = new Set<Job>();
  private stopped = false;

  constructor(private readonly clock: Clock) {}

  async begin(jobs: readonly Job[]): Promise<void> {
    await registerJobs(jobs, this.clock.now()).catch((error) => this.logError("jobs could not be registered", error));
    for (const job of jobs) await this.check(job);
  }

  plan(job: Job, ms: number): void {
    this.planned.get(job)?.();
    if (!this.stopped)
      this.planned.set(
        job,
        this.clock.after(ms, () => this.check(job)),
      );
  }

  /** Runs a job as soon as possible. A run that has already begun may have missed the new work, so another follows. */
  wake(job: Job): void {
    this.woken.add(job);
    const isChecked = [...this.checks.keys()].some((check) => check.job === job);
    if (!isChecked) this.plan(job, 0);
  }

  /** Runs a job if it is due or woken, and schedules the next check. */
  private async check(job: Job): Promise<void> {
    if (this.stopped) return;
    const check: Check = { job, lease: null };
    const done = this.runIfDue(check).catch((error) => {
      this.logError("a job could not be checked", error, job);
      return job.everyMs;
    });
    this.checks.set(
      check,
      done.then(() => {}),
    );
    const waitMs = await done;
    this.checks.delete(check);
    this.plan(job, Math.min(Math.max(waitMs, MIN_WAIT_MS), job.everyMs));
    if (this.woken.has(job)) this.plan(job, check.lease ? 0 : MIN_WAIT_MS);
  }

  /** @returns milliseconds until the next check. */
  private async runIfDue(check: Check): Promise<number> {
    const { job } = check;
    const lease = await acquireJobLease(job.name, this.process, this.clock.now(), this.woken.has(job));
    if (lease && this.stopped) await releaseJobLease(lease, this.clock.now());
    else if (lease) {
      check.lease = lease;
      this.woken.delete(job);
      // If the run hangs, this process checks the job again like any other process.
      this.plan(job, MAX_RUN_MS + LEASE_MS);
    }
    const due = (check.lease && (await this.run(job, check.lease))) ?? (await nextCheckAt(job.name));
    if (!due) await registerJobs([job], this.clock.now());
    return due ? due.getTime() - this.clock.now().getTime() : 0;
  }

  /** @returns when the job is due again; null when another process has taken over, or the run was interrupted. */
  private async run(job: Job, lease: JobLease): Promise<Date | null> {
    const stopRenewing = this.startRenewing(lease);
    let result: JobResult;
    try {
      await job.run(lease.startedAt);
      result = { nextAt: (await job.nextAt?.(lease.startedAt)) ?? null };
    } catch (error) {
      result = { error };
      this.logError("a job failed", error, job);
    } finally {
      stopRenewing();
    }
    // The lease of an interrupted run has already been released.
    return this.stopped && job.interruptible ? null : finishJob(lease, this.clock.now(), result);
  }

  /** Renews a lease periodically. @returns a function that stops this. */
  private startRenewing(lease: JobLease): () => void {
    const untilMs = lease.startedAt.getTime() + MAX_RUN_MS;
    let cancel = () => {};
    const schedule = () => {
      cancel = this.clock.after(LEASE_MS / 3, async () => {
        if (this.clock.now().getTime() < untilMs) schedule();
        await renewJobLease(lease, this.clock.now()).catch((error) =>
          this.logError("a job's lease could not be renewed", error),
        );
      });
    };
    schedule();
    return () => cancel();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    for (const cancel of this.planned.values()) cancel();
    await Promise.allSettled(
      [...this.checks].map(([{ job, lease }, done]) =>
        lease && job.interruptible ? releaseJobLease(lease, this.clock.now()) : done,
      ),
    );
  }

  private logError(message: string, error: unknown, job?: Job): void {
    if (!this.stopped) log.error({ ...(job && { job: job.name }), ...describeError(error) }, message);
  }
}
