import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, test as concurrent, expect } from "vitest";
import { killPostgres, nextAnalyticsPid } from "@/e2e/server/crashes";
import { HOST, healthOf, type Installation, install, OK, pausesOf, until } from "@/e2e/server/failing";
import { sendPageview } from "@/e2e/server/reports";
import { PATIENT_MS } from "@/lib/testing/patience";
import type { RunningServer } from "@/lib/testing/server";

/** The server as a process whose parts fail, seen over HTTP. Sequential: the tests of parts share a server. */
const test = concurrent.sequential;

let shared: Installation;
const removals: (() => void)[] = [];
beforeAll(async () => {
  shared = await install((remove) => removals.push(remove));
});
afterAll(async () => {
  await shared.server.end("SIGTERM");
  for (const remove of removals) remove();
});

/** Runs the health check of the image against a server. @returns its exit code and what it prints */
function containerCheck({ port }: RunningServer): { code: number; printed: string } {
  const [, words = ""] = /^HEALTHCHECK [^[]*(\[.*\])$/m.exec(readFileSync("Dockerfile", "utf8")) ?? [];
  const [program = "", ...args] = JSON.parse(words) as string[];
  try {
    const env = { ...process.env, PORT: `${port}` };
    return { code: 0, printed: execFileSync(program, args, { encoding: "utf8", env }) };
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: string };
    return { code: status, printed: stdout };
  }
}

test("a fresh installation is healthy, and its boot warns of nothing", async () => {
  const { server } = shared;
  await until(server, OK);
  expect(containerCheck(server)).toMatchObject({ code: 0, printed: expect.stringContaining('"status":"ok"') });
  // Exchange rates come from the internet, which a test may not reach.
  const logged = server
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{") && !line.includes("ecb.europa.eu"));
  expect(logged).toEqual([]);
});

test("one end of the analytics process is an accident; killed again and again the service is degraded and names it, while events are stored", {
  tags: "full",
}, async () => {
  const { server } = shared;
  const first = await nextAnalyticsPid(server);
  await until(server, OK);
  process.kill(first, "SIGKILL");
  let pid = await nextAnalyticsPid(server, first);
  await until(server, OK);
  for (let kills = 0; kills < 3; kills++) {
    process.kill(pid, "SIGKILL");
    pid = await nextAnalyticsPid(server, pid);
  }
  expect(await healthOf(server)).toEqual({ ...OK, status: "degraded", analytics: "unavailable" });
  expect(await sendPageview(server, HOST, 1)).toBe(202);
  expect(containerCheck(server).code).toBe(0);
  await until(server, OK);
  expect(pausesOf(server, "analytics").slice(-3)).toSatisfy((pauses: number[]) =>
    pauses.every((pause, n) => n === 0 || pause === 2 * (pauses[n - 1] as number)),
  );
});

test("an ingest worker that exits again and again makes health 503 and named, with growing pauses, until it works again", async () => {
  const { server, failure } = shared;
  await until(server, OK);
  writeFileSync(failure("ingest-exit"), "");
  await expect.poll(() => pausesOf(server, "ingest").length, { timeout: PATIENT_MS }).toBeGreaterThan(3);
  expect(await healthOf(server)).toEqual({ ...OK, http: 503, status: "unavailable", ingest: "unavailable" });
  expect(containerCheck(server)).toMatchObject({ code: 1, printed: expect.stringContaining('"ingest":"unavailable"') });
  expect(await sendPageview(server, HOST, 1)).toBe(503);
  expect(pausesOf(server, "ingest").slice(0, 4)).toEqual([250, 500, 1000, 2000]);
  rmSync(failure("ingest-exit"));
  await until(server, OK);
  expect(await sendPageview(server, HOST, 2)).toBe(202);
});

test("a Postgres that does not answer makes health 503 and named, until it answers again", async () => {
  const { server, env } = shared;
  await until(server, OK);
  killPostgres(env.DATA_DIR, "SIGSTOP");
  await expect
    .poll(() => healthOf(server), { timeout: PATIENT_MS })
    .toMatchObject({ http: 503, database: "unavailable" });
  killPostgres(env.DATA_DIR, "SIGCONT");
  await until(server, OK);
});
