import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { test as concurrent, expect, inject, onTestFinished } from "vitest";
import { dayNumber, dayStarts } from "@/lib/analytics/buckets";
import { packedCoverOf } from "@/lib/analytics/cover";
import { NO_ID_FILTERS } from "@/lib/analytics/filters";
import { packedDays } from "@/lib/analytics/packed/counters";
import { count, type Task } from "@/lib/analytics/packed/counting";
import { countingThreads } from "@/lib/analytics/packed/counting-threads";
import { type Counts, TooManyGroups } from "@/lib/analytics/packed/tally";
import { days } from "@/lib/analytics/period";
import { reopenDays, sealSite } from "@/lib/analytics/rollups";
import { makeSite, send } from "@/lib/testing/world";
import { Temporal } from "@/lib/time";

/** One after the other: each has threads to end. */
const test = concurrent.sequential;

const NOW = new Date("2025-03-17T11:20:00Z");
const FIRST = dayNumber(Temporal.PlainDate.from("2025-03-01"));
const BUILT = new URL("../../build/counting.mjs", import.meta.url);

const taskOf = (siteId: number, version = ""): Task => ({
  siteId,
  traffic: "all",
  filters: NO_ID_FILTERS,
  blocks: Array.from({ length: 16 }, (_, day) => FIRST + day),
  asked: [
    { by: [], parts: ["visits", "events", "scrolls"] },
    { by: ["page"], parts: ["visits", "events"] },
    { by: ["country", "page"], parts: ["visits", "events"] },
  ],
  version,
  daily: false,
});

async function versionOf(siteId: number): Promise<string> {
  const [from, to] = ["2025-03-01", "2025-03-16"].map((date) => Temporal.PlainDate.from(date));
  const range = days(from as Temporal.PlainDate, to as Temporal.PlainDate, "UTC", NOW);
  return (await packedCoverOf(siteId, range, dayStarts(range), NO_ID_FILTERS))?.version ?? "";
}

function threads(program: URL) {
  const started = countingThreads({ databaseUrl: inject("databaseUrl"), statementMs: 20_000 }, program);
  onTestFinished(() => started.close());
  return started.count;
}

/** What counts say, whatever their order and however often a combination of values is told. */
function told(all: readonly Counts[]): Record<string, number>[] {
  return all.map(({ size, values, sums }) => {
    const rows: Record<string, number> = {};
    for (let at = 0; at < size; at++)
      for (const [name, list] of Object.entries(sums)) {
        const key = `${values.map((one) => one[at])} ${name}`;
        rows[key] = (rows[key] ?? 0) + (list[at] ?? 0);
      }
    return rows;
  });
}

test("threads count what one counts alone, also from memory, and read a day anew that was packed anew", async () => {
  const site = await makeSite();
  for (const day of [2, 3, 4, 9])
    for (const page of ["/", "/a", "/b"])
      await send(site, page, { at: `2025-03-0${day}T1${day % 3}:00:00Z`, address: `198.51.100.${day}` });
  await sealSite(site.id, "UTC", NOW);
  const counted = threads(BUILT);
  const task = taskOf(site.id, await versionOf(site.id));
  const alone = told(await count(packedDays(), task));
  expect(alone[0]).toMatchObject({ " pageviews": 12, " visits": 4 });
  expect(told(await counted(task))).toEqual(alone);
  expect(told(await counted(task))).toEqual(alone);
  const daily: Task = { ...task, asked: [{ by: [], parts: ["visits", "events"] }], daily: true };
  expect(told(await counted(daily))).toEqual(told(await count(packedDays(), daily)));

  await reopenDays(site.id);
  await send(site, "/late", { at: "2025-03-09T20:00:00Z", address: "198.51.100.77" });
  await sealSite(site.id, "UTC", NOW);
  const after = { ...task, version: await versionOf(site.id) };
  expect(told(await counted(after))[0]).toMatchObject({ " pageviews": 13, " visits": 5 });
});

test("a question ends when nobody waits for it, fails with its thread, and the next one has another thread", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "footfall-counting-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = path.join(folder, "counting.mjs");
  // It answers site 1, is silent about site 2, and ends when it is to count the first day of site 3.
  writeFileSync(
    program,
    `import { parentPort } from "node:worker_threads";
     parentPort.on("message", ({ id, task }) => {
       if (task?.siteId === 1) parentPort.postMessage({ id, failure: { message: "too many", tooManyGroups: true } });
       if (task?.siteId === 3 && task.blocks.includes(${FIRST})) process.exit(3);
     });`,
  );
  const counted = threads(pathToFileURL(program));
  await expect(counted(taskOf(1))).rejects.toBeInstanceOf(TooManyGroups);
  const ending = new AbortController();
  const waited = counted(taskOf(2), ending.signal);
  ending.abort(new Error("gone"));
  await expect(waited).rejects.toThrow("gone");
  await expect(counted(taskOf(3))).rejects.toMatchObject({ code: "unavailable" });
  await expect(counted(taskOf(1))).rejects.toBeInstanceOf(TooManyGroups);
});
