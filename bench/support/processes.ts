import { readdirSync, readFileSync } from "node:fs";

/** Resource usage of processes, from Linux's /proc. Zero on other systems. */

/** The kernel's unit of processor time (USER_HZ). */
const TICKS_PER_SECOND = 100;

/** Returns the processor time of a process so far, user and system, in seconds. */
export const processorSeconds = (pid: number): number => sum(statusOf(pid), [OWN_USER, OWN_SYSTEM]);

/** Returns the processor time of a process and its children, including ended ones, in seconds. */
export function familySeconds(pid: number): number {
  const children = childrenOf(pid);
  const ended = sum(statusOf(pid), [CHILDREN_USER, CHILDREN_SYSTEM]);
  return [pid, ...children].reduce((seconds, one) => seconds + processorSeconds(one), ended);
}

export const parentOf = (pid: number): number => Number(statusOf(pid)[PARENT] ?? 0);

export const residentMegabytes = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024);

/** Returns the resident memory of the Node processes that a process has started. */
export const nodeMegabytes = (pid: number): number =>
  childrenOf(pid)
    .filter((child) => /^(node|MainThread)/.test(read(`/proc/${child}/comm`)))
    .reduce((sum, child) => sum + residentMegabytes(child), 0);

const childrenOf = (pid: number): number[] => processes().filter((child) => parentOf(child) === pid);

// Fields of /proc/<pid>/stat after the program's name.
const [PARENT, OWN_USER, OWN_SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM] = [1, 11, 12, 13, 14];

const statusOf = (pid: number): string[] =>
  read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, "")
    .split(" ");

const sum = (fields: string[], which: number[]): number =>
  which.reduce((ticks, field) => ticks + (Number(fields[field]) || 0), 0) / TICKS_PER_SECOND;

function processes(): number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
