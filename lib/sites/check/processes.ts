import { readdir, readFile } from "node:fs/promises";

/** What a program and all programs that it started use. */
export interface Use {
  processes: number;
  /** Memory of their own in bytes: without the files that they map. */
  memoryBytes: number;
}

interface Running {
  pid: number;
  parent: number;
  group: number;
  bytes: number;
}

/** Returns what a process group and the descendants of its leader use, by /proc; null where there is none. */
export async function readUse(leader: number): Promise<Use | null> {
  const names = await readdir("/proc").catch(() => null);
  if (!names) return null;
  const pids = names.map(Number).filter((pid) => pid > 0);
  const all = (await Promise.all(pids.map(readProcess))).filter((one) => one !== null);
  const family = new Set([leader]);
  // A child usually has a higher id than its parent, but ids are used again.
  for (let before = 0; before < family.size; ) {
    before = family.size;
    for (const { pid, parent, group } of all) if (group === leader || family.has(parent)) family.add(pid);
  }
  const members = all.filter(({ pid }) => family.has(pid));
  return { processes: members.length, memoryBytes: members.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** @returns null for a process that has ended. */
async function readProcess(pid: number): Promise<Running | null> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => null);
  if (status === null) return null;
  const numberOf = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
  const bytes = (numberOf("RssAnon") + numberOf("RssShmem") + numberOf("VmSwap")) * 1024;
  return { pid, parent: numberOf("PPid"), group: numberOf("NSpgid"), bytes };
}
