import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import os from "node:os";
import { test as concurrent, expect, inject, onTestFinished } from "vitest";
import { closeDatabase, openDatabase, reports } from "@/lib/db";
import { letGiveWay } from "@/lib/server/priority";

/** One after the other, so that what a test cleans up is its own. */
const test = concurrent.sequential;

const { PRIORITY_LOW, PRIORITY_NORMAL } = os.constants.priority;

function anotherProcess(ofItsOwnSession: boolean): number {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: ofItsOwnSession });
  onTestFinished(() => void child.kill());
  return child.pid as number;
}

test.runIf(process.platform === "linux")("a process that gives way leaves its parent as it is", () => {
  const id = anotherProcess(false);
  letGiveWay(id);
  expect(os.getPriority(id)).toBe(PRIORITY_LOW);
  expect(os.getPriority()).toBe(PRIORITY_NORMAL);
});

test.runIf(existsSync("/proc/self/autogroup"))("it takes along a group that is its own, and no other", async () => {
  const group = (id: number | string) => /nice (-?\d+)/.exec(readFileSync(`/proc/${id}/autogroup`, "utf8"))?.[1];
  const before = group("self");
  const [own, ours] = [anotherProcess(true), anotherProcess(false)];
  for (const id of [own, ours]) letGiveWay(id);
  await expect.poll(() => group(own), { timeout: 5_000 }).toBe(`${PRIORITY_LOW}`);
  expect([group(ours), group("self")]).toEqual([before, before]);
});

test("a process that is gone, or another's, is passed over", () => {
  expect(() => letGiveWay(2 ** 22 - 1)).not.toThrow();
});

test("each process that Postgres has for reports is told, and none that it has for events", async () => {
  const told: number[] = [];
  onTestFinished(async () => {
    await closeDatabase();
    openDatabase(inject("databaseUrl"));
  });
  await closeDatabase();
  openDatabase(inject("databaseUrl"), { reportingProcess: (id) => told.push(id) });
  const [backend] = await reports().$queryRaw<{ id: number }[]>`SELECT pg_backend_pid() AS id`;
  expect(told).toEqual([backend?.id]);
});
