import { expect, onTestFinished, test } from "vitest";
import {
  embedded,
  HOST,
  killPostgres,
  makeCrashSite,
  makeToken,
  nextAnalyticsPid,
  once,
  untilReady,
} from "@/e2e/server/crashes";
import { readPageviews, sendPageview } from "@/e2e/server/reports";
import { expectEachOnce, type Load, sendAll } from "@/lib/testing/load";
import { PATIENT_MS } from "@/lib/testing/patience";
import { type RunningServer, startServer } from "@/lib/testing/server";
import { temporaryDir } from "@/lib/testing/temporary-dir";

test("after a kill -9 of the analytics process, and of the server with its Postgres, each acknowledged event is stored once and reports answer", async () => {
  const env = { DATA_DIR: temporaryDir(), TRUSTED_PROXIES: "127.0.0.1" };
  const first = await startServer(env);
  const query = embedded(env.DATA_DIR);
  const keys = await makeCrashSite(query, 20);
  await makeCrashSite(query, 0, 2, "reports.example");
  const pageviewsAt = async (server: RunningServer, token: string) =>
    (await untilReady(() => readPageviews(server, token, 2))).last.pageviews;
  const token = await makeToken(query, first, "analytics:read", 2);
  expect(await sendPageview(first, "reports.example", 1)).toBe(202);
  expect(await pageviewsAt(first, token)).toBe(1);
  const analytics = await nextAnalyticsPid(first);
  process.kill(analytics, "SIGKILL");
  expect(await sendPageview(first, "reports.example", 2)).toBe(202);
  await nextAnalyticsPid(first, analytics);
  await expect.poll(() => pageviewsAt(first, token), { timeout: PATIENT_MS }).toBe(2);

  // Like a power failure: the next server starts with the files as they are.
  const crash = once();
  let second: Promise<RunningServer> | undefined;
  const load: Load = { urls: [first.url], host: HOST, singles: 400, keys };
  const loaded = await sendAll({
    ...load,
    at({ answered }) {
      crash(answered >= 200, () => {
        first.process.kill("SIGKILL");
        killPostgres(env.DATA_DIR);
        second = startServer(env, { port: first.port });
      });
    },
  });
  const server = await (second as Promise<RunningServer>);
  onTestFinished(async () => void (await server.end("SIGTERM")));
  expect([...(loaded.statuses.get("") ?? [])]).toContain("broken");
  expect([...loaded.faults]).toEqual([]);
  await expectEachOnce(load, loaded, query);
  expect(await pageviewsAt(server, token)).toBe(2);
});
