import { spawn } from "node:child_process";
import os from "node:os";
import { expect, inject, onTestFinished, test } from "vitest";
import { closeDatabase, openDatabase, reports } from "@/lib/db";
import { giveWay } from "@/lib/server/priority";

const { PRIORITY_BELOW_NORMAL, PRIORITY_NORMAL } = os.constants.priority;

test.runIf(process.platform === "linux")("a process that gives way leaves its parent as it is", () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  onTestFinished(() => void child.kill());
  giveWay(child.pid);
  expect(os.getPriority(child.pid)).toBe(PRIORITY_BELOW_NORMAL);
  expect(os.getPriority()).toBe(PRIORITY_NORMAL);
});

test("a process that is gone, or another's, is passed over", () => {
  expect(() => giveWay(2 ** 22 - 1)).not.toThrow();
});

test("each process that Postgres has for reports is told, and none that it has for events", async () => {
  const told: number[] = [];
  await closeDatabase();
  openDatabase(inject("databaseUrl"), { reportingProcess: (id) => told.push(id) });
  const [backend] = await reports().$queryRaw<{ id: number }[]>`SELECT pg_backend_pid() AS id`;
  expect(told).toEqual([backend?.id]);
});
