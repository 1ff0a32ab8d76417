import os from "node:os";
import {
  acquireJobLease,
  finishJob,
  type JobLease,
  LEASE_MS,
  nextCheckAt,
  registerJobs,
  releaseJobLease,
  renewJobLease,
} from "@/lib/jobs/job-leases";
import { describeError, log } from "@/lib/platform/log";

/**
 * Something that is done now and then, by one process at a time. Its turn may be taken over from a process that has only
 * been silent for a minute, so that twice at once must do no harm.
 */
export interface Job {
  name: string;
  everyMs: number;
  run(now: Date): Promise<unknown>;
  /** It may take long, and loses nothing when it is cut short: a stop does not wait for it. */
  interruptible?: true;
}

/** Time as this process knows it. Tests pass another. */
export interface Clock {
  now(): Date;
  /** @returns what calls it off. */
  after(ms: number, work: () => Promise<void>): () => void;
}

const REAL: Clock = {
  now: () => new Date(),
  after(ms, work) {
    const timer = setTimeout(() => void work(), ms).unref();
    return () => clearTimeout(timer);
  },
};

/** How long a run's turn is kept: one that lasts longer has likely hung, and is begun anew beside it. */
const LONGEST_MS = 3600_000;
/** Between two looks at a job whose turn another process has just taken. */
const LEAST_WAIT_MS = 1_000;

/**
 * Runs every job that is due, one after the other, because a server that has just started has few connections and others
 * to give them to; and from then on each when it is due, unless another process has it.
 *
 * @returns what stops them and waits for those that run.
 */
export function startJobs(jobs: readonly Job[], clock: Clock = REAL): () => Promise<void> {
  const scheduler = new Scheduler(clock);
  for (const job of jobs) scheduler.plan(job, job.everyMs);
  clock.after(0, () => scheduler.begin(jobs));
  return () => scheduler.stop();
}

/** A look at a job, with its turn once it has been found to be due. */
interface Look {
  job: Job;
  turn: JobLease | null;
}

class Scheduler {
  private readonly process = `${os.hostname()}:${process.pid}`;
  private readonly planned = new Map<Job, () => void>();
  private readonly looks = new Map<Look, Promise<void>>();
  private stopped = false;

  constructor(private readonly clock: Clock) {}

  async begin(jobs: readonly Job[]): Promise<void> {
    await registerJobs(jobs, this.clock.now()).catch((error) => this.tell("jobs could not be enrolled", error));
    for (const job of jobs) await this.look(job);
  }

  plan(job: Job, ms: number): void {
    this.planned.get(job)?.();
    if (!this.stopped)
      this.planned.set(
        job,
        this.clock.after(ms, () => this.look(job)),
      );
  }

  /** Does a job if it is its turn, and plans the next look. */
  private async look(job: Job): Promise<void> {
    if (this.stopped) return;
    const look: Look = { job, turn: null };
    const done = this.turnOf(look).catch((error) => {
      this.tell("a job could not be looked at", error, job);
      return job.everyMs;
    });
    this.looks.set(
      look,
      done.then(() => {}),
    );
    const waitMs = await done;
    this.looks.delete(look);
    this.plan(job, Math.min(Math.max(waitMs, LEAST_WAIT_MS), job.everyMs));
  }

  /** @returns how long to wait before the next look. */
  private async turnOf(look: Look): Promise<number> {
    const { job } = look;
    const turn = await acquireJobLease(job.name, this.process, this.clock.now());
    if (turn && this.stopped) await releaseJobLease(turn, this.clock.now());
    else if (turn) {
      look.turn = turn;
      // Should it hang, this process looks again as any other would.
      this.plan(job, LONGEST_MS + LEASE_MS);
      await this.work(job, turn);
    }
    const due = await nextCheckAt(job.name);
    if (!due) await registerJobs([job], this.clock.now());
    return due ? due.getTime() - this.clock.now().getTime() : 0;
  }

  private async work(job: Job, turn: JobLease): Promise<void> {
    const stopRenewing = this.renewing(turn);
    let failure: { error: unknown } | undefined;
    try {
      await job.run(turn.startedAt);
    } catch (error) {
      failure = { error };
      this.tell("a job failed", error, job);
    } finally {
      stopRenewing();
    }
    // One that was cut short has been given back.
    if (!this.stopped || !job.interruptible) await finishJob(turn, this.clock.now(), failure);
  }

  /** Keeps a turn while it is used. @returns what ends that. */
  private renewing(turn: JobLease): () => void {
    const untilMs = turn.startedAt.getTime() + LONGEST_MS;
    let callOff = () => {};
    const again = () => {
      callOff = this.clock.after(LEASE_MS / 3, async () => {
        if (this.clock.now().getTime() < untilMs) again();
        await renewJobLease(turn, this.clock.now()).catch((error) =>
          this.tell("a job's turn could not be renewed", error),
        );
      });
    };
    again();
    return () => callOff();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    for (const callOff of this.planned.values()) callOff();
    await Promise.allSettled(
      [...this.looks].map(([{ job, turn }, done]) =>
        turn && job.interruptible ? releaseJobLease(turn, this.clock.now()) : done,
      ),
    );
  }

  private tell(what: string, error: unknown, job?: Job): void {
    if (!this.stopped) log.error({ ...(job && { job: job.name }), ...describeError(error) }, what);
  }
}
