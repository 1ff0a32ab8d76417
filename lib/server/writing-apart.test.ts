import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { test as concurrent, expect, inject, onTestFinished } from "vitest";
import { reports } from "@/lib/db";
import { type WritableHit, writableOf } from "@/lib/ingest/writable-hit";
import { NotWritten } from "@/lib/ingest/writer";
import { WritingApart } from "@/lib/server/writing-apart";
import { hitOf } from "@/lib/testing/hits";
import { makeSite } from "@/lib/testing/world";

/** One after the other: each has a thread to end. */
const test = concurrent.sequential;

const BUILT = new URL("../../build/writing.mjs", import.meta.url);

test("what another thread writes comes to the ends that it comes to here, and is told once all of it is committed", async () => {
  const site = await makeSite();
  const [one, two] = [writableOf(await hitOf(site.host, "one")), writableOf(await hitOf(site.host, "two"))];
  const ends: [WritableHit, object][] = [
    [{ ...one, key: "order-1" }, { value: { status: "stored", visit: "new", traffic: "human" } }],
    [{ ...one, key: "order-1" }, { value: { status: "duplicate" } }],
    [{ ...one, type: "vitals", visitors: ["77"] }, { value: { status: "filtered", reason: "visit_over" } }],
    [{ ...two, props: "{not json" }, { reason: { code: "22P02" } }],
    [{ ...two, props: '{"plan":"pro"}', revenue: "12.34", currency: "EUR" }, { value: { visit: "continued" } }],
  ];
  const writing = new WritingApart(inject("databaseUrl"), BUILT);
  const written = Promise.allSettled(ends.map(([hit]) => writing.write(hit)));
  expect(writing.length).toBe(ends.length);
  await writing.drain();
  expect(writing.length).toBe(0);
  const stored = await reports().$queryRaw`SELECT pageviews, events FROM facts.visit WHERE site_id = ${site.id}`;
  expect(stored).toEqual([{ pageviews: 0, events: 2 }]);
  for (const [place, end] of (await written).entries()) expect(end).toMatchObject(ends[place]?.[1] as object);
  const commits = (await writing.metrics()).find(({ name }) => name === "footfall_commit_events");
  expect(commits?.values).toContainEqual({ metricName: "footfall_commit_events_sum", labels: {}, value: 4 });
  await writing.close();
});

test("hits whose thread ends are told as not written, and the next are written by another thread", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "footfall-writing-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = path.join(folder, "writing.mjs");
  // It ends at a hit of site 1, and calls every other a duplicate.
  writeFileSync(
    program,
    `import { parentPort } from "node:worker_threads";
     parentPort.on("message", (order) => {
       if (order === "stop" || order.hits.some(([siteId]) => siteId === 1)) process.exit(0);
       parentPort.postMessage({ settled: order.hits.map((_, at) => [order.first + at, { status: "duplicate" }]) });
     });`,
  );
  const writing = new WritingApart("", pathToFileURL(program));
  const plain = writableOf(await hitOf((await makeSite()).host, "any"));
  const hit = (siteId: number): WritableHit => ({ ...plain, siteId });
  expect(await writing.write(hit(2))).toEqual({ status: "duplicate" });
  const waited = writing.write(hit(1));
  await expect(waited).rejects.toBeInstanceOf(NotWritten);
  await expect(waited).rejects.toMatchObject({ code: "unavailable", retryAfter: 2 });
  const again = () => writing.write(hit(2)).catch((error) => error);
  expect(await again()).toBeInstanceOf(NotWritten);
  await expect.poll(again, { timeout: 20_000 }).toEqual({ status: "duplicate" });
  await writing.close();
});
