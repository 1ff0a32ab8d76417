import { readFileSync, writeFileSync } from "node:fs";
import os from "node:os";

/**
 * What gives way to events. Where they want the processor too, pages, which somebody looks at, get a tenth of it, and what
 * reports add up gets what is left over. Linux alone knows the priority of a thread; elsewhere nothing happens.
 */
export const WAY_GIVEN = {
  pages: os.constants.priority.PRIORITY_BELOW_NORMAL,
  reports: os.constants.priority.PRIORITY_LOW,
} as const;

/** The calling thread gives way from now on: a thread has a nice value of its own, and 0 is the caller (setpriority(2)). */
export function giveWay(to: keyof typeof WAY_GIVEN): void {
  if (process.platform === "linux") attempt(() => os.setPriority(0, WAY_GIVEN[to]));
}

/** Another process of this machine that works for reports gives way from now on. */
export function letGiveWay(processId: number): void {
  if (process.platform !== "linux") return;
  attempt(() => os.setPriority(processId, WAY_GIVEN.reports));
  lowerGroup(processId);
}

/** Who is nobody special may change one group in a tenth of a second, on the whole machine. */
const AGAIN_AFTER_MS = 250;
const TRIES = 20;

/**
 * Where Linux schedules by groups of its own making (sched(7), "The autogroup feature"), a nice value counts only among the
 * processes of one session, and each process of Postgres has a session to itself: there it is the group that gives way.
 */
function lowerGroup(processId: number, triesLeft = TRIES): void {
  try {
    const [, , , session] = readFileSync(`/proc/${processId}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    // The group of several processes is not lowered for the sake of one.
    if (Number(session) === processId) writeFileSync(`/proc/${processId}/autogroup`, `${WAY_GIVEN.reports}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EAGAIN" || triesLeft === 0) return;
    setTimeout(() => lowerGroup(processId, triesLeft - 1), AGAIN_AFTER_MS * (1 + Math.random())).unref();
  }
}

/** It has ended meanwhile, or belongs to somebody else: then it stays as it is. */
function attempt(change: () => void): void {
  try {
    change();
  } catch {}
}
