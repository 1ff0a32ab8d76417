import os from "node:os";

/**
 * Makes a process of this machine, or the thread that calls, give way to those that take events: where both want the
 * processor, a tenth of it is left to it. Linux alone knows the priority of a thread; elsewhere nothing happens.
 *
 * @param processId 0 is the calling thread (setpriority(2): a thread has its own nice value, and 0 means the caller).
 */
export function giveWay(processId = 0): void {
  if (process.platform !== "linux") return;
  try {
    os.setPriority(processId, os.constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended meanwhile, or belongs to somebody else.
  }
}
