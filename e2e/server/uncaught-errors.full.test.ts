import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { test as concurrent, expect, onTestFinished } from "vitest";
import { embedded, type Query } from "@/e2e/server/crashes";
import { HOST, install, OK, pausesOf, until } from "@/e2e/server/failing";
import { sendPageview } from "@/e2e/server/reports";
import { PATIENT_MS } from "@/lib/testing/patience";
import { startServer } from "@/lib/testing/server";

/** Uncaught errors in the threads of a server. Sequential, because each test starts servers. */
const test = concurrent.sequential;

async function storedOutcomes(query: Query): Promise<number> {
  const rows = await query("SELECT coalesce(sum(events), 0)::int AS events FROM facts.intake WHERE outcome = 'stored'");
  return (rows[0] as { events: number }).events;
}

test.each(["throw", "reject"])(
  "after an uncaught error in the ingest worker (%s) all acknowledged events are stored and counted, and the next worker works",
  async (how) => {
    const { server, query, failure } = await install();
    onTestFinished(async () => void (await server.end("SIGTERM")));
    await until(server, OK);
    const ends = pausesOf(server, "ingest").length;
    const sent = await Promise.all(Array.from({ length: 20 }, (_, n) => sendPageview(server, HOST, n)));
    writeFileSync(failure(`ingest-${how}`), "");
    await expect.poll(() => pausesOf(server, "ingest").length, { timeout: PATIENT_MS }).toBe(ends + 1);
    expect(server.output()).toMatch(/"level":60,.*"message":"isRunning is not a function"/);
    expect(sent).toContain(202);
    const [events] = (await query("SELECT count(*)::int AS all FROM facts.event")) as { all: number }[];
    expect(await storedOutcomes(query)).toBe(events?.all);
    await until(server, OK);
    expect(await sendPageview(server, HOST, 1)).toBe(202);
  },
);

test.each(["throw", "reject"])(
  "after an uncaught error in the main process (%s) it answers what has begun, writes what it acknowledged and exits with 1",
  async (how) => {
    const { server, env, failure } = await install();
    onTestFinished(async () => void (server.process.exitCode === null && (await server.end("SIGKILL"))));
    await until(server, OK);
    const sent = await Promise.all(Array.from({ length: 20 }, (_, n) => sendPageview(server, HOST, n)));
    expect(sent).toEqual(sent.map(() => 202));
    const ended = once(server.process, "exit");
    writeFileSync(failure(`main-${how}`), "");
    expect(await ended).toEqual([1, null]);
    expect(server.output()).toMatch(/"level":60,.*"message":"isRunning is not a function"/);
    const next = await startServer(env);
    onTestFinished(async () => void (await next.end("SIGTERM")));
    expect(await storedOutcomes(embedded(env.DATA_DIR))).toBe(sent.length);
    await until(next, OK);
  },
);
