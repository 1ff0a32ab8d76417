import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, type TestContext, test } from "vitest";
import { AnalyticsProcess } from "@/lib/analytics/engine/client";
import type { Open } from "@/lib/analytics/engine/messages";
import { Refusal } from "@/lib/platform/errors";
import { counter } from "@/lib/platform/metrics";
import { PATIENT_MS } from "@/lib/testing/patience";

/**
 * An analytics process that does what the SQL of a query says. "died" counts the processes that have ended, by a file
 * beside the program.
 */
const PROGRAM = `
  import { appendFileSync, existsSync, readFileSync } from "node:fs";
  const log = import.meta.url.slice(7) + ".log";
  const died = () => (existsSync(log) ? readFileSync(log, "utf8").split("\\n").filter((line) => line === "died").length : 0);
  const note = (line) => appendFileSync(log, line + "\\n");
  process.on("disconnect", () => process.exit(0));
  process.on("message", (message) => {
    if ("cancel" in message) return note("cancelled " + message.cancel);
    if (!("id" in message)) return;
    const { id, work } = message;
    const send = (reply) => process.send({ id, ...reply }, undefined, undefined, () => {});
    const answer = (value) => send({ value });
    if ("forget" in work) return note("forgot " + work.forget), answer();
    if ("keep" in work) return note("kept " + work.keep), answer();
    if ("ping" in work) return answer();
    if ("metrics" in work) return answer([]);
    if ("pattern" in work) return answer(work.pattern === "(" ? "missing )" : null);
    const { sql, values } = work.query.statements[0];
    if (sql === "die" || (sql === "die once" && died() === 0)) return note("died"), process.kill(process.pid, "SIGKILL");
    if (sql === "env") return answer([[{ names: Object.keys(process.env) }]]);
    if (sql === "wait") return;
    if (sql === "log") return answer([[{ log: readFileSync(log, "utf8") }]]);
    if (sql === "fail") return send({ error: values[0] === null ? { kind: "memory" } : { kind: "copying", progress: values[0] } });
    if (sql === "fault") return send({ error: { kind: "failed", message: "Binder Error: x", code: "Binder Error" } });
    answer([[{ site: work.query.site.siteId, value: values[0], died: died() }]]);
  });`;

const OPEN: Open = { root: "", databaseUrl: "", memoryMegabytes: 256, threads: 1, logLevel: "silent" };

function startProgram({ onTestFinished }: Pick<TestContext, "onTestFinished">, text = PROGRAM) {
  const folder = mkdtempSync(path.join(os.tmpdir(), "footfall-analytics-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = path.join(folder, "program.mjs");
  writeFileSync(program, text);
  const client = new AnalyticsProcess({ program, open: OPEN, siteIds: async () => [1, 2] });
  onTestFinished(() => client.close());
  const query = async (sql: string, value: number | Date | null = null, signal?: AbortSignal) => {
    const [[row] = []] = await client.query({ siteId: 7, timezone: "UTC" }, [{ sql, values: [value] }], signal);
    return row;
  };
  const log = async () => (await query("log"))?.log;
  return { client, query, log };
}

test("queries are answered by a process that the first one starts, with values as they are", async (context) => {
  const { query } = startProgram(context);
  const at = new Date("2026-01-02T03:04:05Z");
  expect(await Promise.all([query("x", 1), query("x", at)])).toEqual([
    { site: 7, value: 1, died: 0 },
    { site: 7, value: at, died: 0 },
  ]);
});

test("the process gets no variable of the server but those that it needs", async (context) => {
  const { query } = startProgram(context);
  const names = (await query("env"))?.names as string[];
  expect(names).toContain("UV_THREADPOOL_SIZE");
  // Set by Vitest in this process, as secrets are by an operator.
  expect(names).not.toContain("VITEST");
});

test("the process says what is wrong with a pattern, and nothing about a right one", async (context) => {
  const { client } = startProgram(context);
  expect([await client.patternFault("("), await client.patternFault("a")]).toEqual(["missing )", null]);
});

test("queries of a process that died are sent once more", async (context) => {
  const { query } = startProgram(context);
  expect(await query("die once")).toEqual({ site: 7, value: null, died: 1 });
});

test("a query whose process dies twice is refused as unavailable, and the next query is answered", async (context) => {
  const { query } = startProgram(context);
  const refused = await query("die").catch((error) => error);
  expect(refused).toBeInstanceOf(Refusal);
  expect(refused).toMatchObject({ status: 503, code: "unavailable", retryAfter: 2 });
  await context.expect
    .poll(() => query("x").catch(() => null), { timeout: PATIENT_MS })
    .toEqual({ site: 7, value: null, died: 2 });
});

test("a program that cannot start refuses queries instead of queueing them", async (context) => {
  const { query } = startProgram(context, "process.exit(1);");
  for (let n = 0; n < 3; n++) await expect(query("x")).rejects.toMatchObject({ status: 503, retryAfter: 2 });
});

test("an aborted query ends at once with the reason of its signal, and the process cancels it", async (context) => {
  const { query, log } = startProgram(context);
  await query("x");
  const aborting = new AbortController();
  const waiting = query("wait", null, aborting.signal);
  aborting.abort(new Error("gone"));
  await expect(waiting).rejects.toThrow("gone");
  await expect(query("x", null, aborting.signal)).rejects.toThrow("gone");
  await context.expect.poll(log, { timeout: PATIENT_MS }).toMatch(/^cancelled \d+$/m);
});

test("the process gets the sites to forget and the sites to keep", async (context) => {
  const { client, log } = startProgram(context);
  await client.forget(42);
  await context.expect.poll(log, { timeout: PATIENT_MS }).toMatch(/^kept 1,2$/m);
  expect(await log()).toMatch(/^forgot 42$/m);
  expect(await client.metrics()).toEqual([]);
});

test("an incomplete copy and too little memory are refused as unavailable, and faults are thrown", async (context) => {
  const { query } = startProgram(context);
  const copying = { status: 503, code: "unavailable", retryAfter: 2, details: { progress: 0.42 } };
  await expect(query("fail", 0.4199)).rejects.toMatchObject(copying);
  const memory = { status: 503, message: expect.stringContaining("ask for a shorter range, fewer dimensions") };
  await expect(query("fail")).rejects.toMatchObject(memory);
  const fault = await query("fault").catch((error) => error);
  expect(fault).not.toBeInstanceOf(Refusal);
  expect(fault).toMatchObject({ message: "Binder Error: x", code: "Binder Error" });
});

test("closing ends the process and refuses waiting queries", async (context) => {
  const { client, query } = startProgram(context);
  await query("x");
  const { pid = 0 } = client;
  const waiting = query("wait").catch((error) => error);
  await client.close();
  expect(await waiting).toMatchObject({ status: 503 });
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  await expect(query("x")).rejects.toMatchObject({ status: 503 });
});

test("ends of the process are counted", async (context) => {
  const restarts = counter({ name: "footfall_analytics_restarts_total", help: "" });
  const count = async () => (await restarts.get()).values[0]?.value ?? 0;
  const before = await count();
  await startProgram(context).query("die once");
  expect(await count()).toBeGreaterThan(before);
});
