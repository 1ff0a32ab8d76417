import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { test as concurrent, expect, onTestFinished } from "vitest";
import { sendPageview } from "@/e2e/server/reports";
import { addMonth } from "@/lib/ingest/store/partitions";
import { DAY_MS, MINUTE_MS } from "@/lib/platform/durations";
import { deleteExpiredEvents } from "@/lib/sites/delete-expired";
import { decide } from "@/lib/testing/approved";
import { call } from "@/lib/testing/calls";
import { databaseForTests } from "@/lib/testing/database";
import { openedUrl } from "@/lib/testing/opened-url";
import { rowsOf } from "@/lib/testing/rows";
import { type RunningServer, startServer } from "@/lib/testing/server";
import { flagsOfClock } from "@/lib/testing/skewed-clock";
import { temporaryDir } from "@/lib/testing/temporary-dir";
import { CHROME, makeClient, makeSite, send, TEST_SECRETS } from "@/lib/testing/world";

/** Servers of one database with clocks and folders of their own. Sequential, because retention is about all sites. */
const test = concurrent.sequential;
databaseForTests();

const SKEW_MS = 20 * MINUTE_MS;

async function serverAt(skewMs: number): Promise<RunningServer> {
  const env = {
    DATABASE_URL: await openedUrl(),
    APP_SECRETS: TEST_SECRETS,
    DATA_DIR: temporaryDir(),
    TRUSTED_PROXIES: "127.0.0.1",
    // The base URL for which tests issue tokens.
    BASE_URL: "http://localhost:3000",
    ALLOWED_HOSTS: "127.0.0.1",
    RATE_LIMITS: "read=100000/60",
  };
  const server = await startServer(env, { nodeFlags: flagsOfClock(skewMs) });
  onTestFinished(async () => void (await server.end("SIGTERM")));
  return server;
}

test("two servers, one 20 minutes behind Postgres and one 20 minutes ahead: each committed event is in the next answer of both, once, and a deletion through one is in those of the other", async () => {
  const now = new Date();
  const [behind, ahead] = await Promise.all([serverAt(-SKEW_MS), serverAt(SKEW_MS)]);
  const servers = [behind, ahead];
  // About noon for both, because the ids of visitors are those of a local day.
  const behindUtc = now.getUTCHours() - 12;
  const site = await makeSite({ timezone: `Etc/GMT${behindUtc < 0 ? "" : "+"}${behindUtc}` });
  // A token is valid for 15 minutes, by the clock of each server.
  const tokenFor = async (skewMs: number) => {
    const scopes = ["analytics:read", "sites:write", "sites:delete"] as const;
    const issued = new Date(Date.now() + skewMs);
    return (await makeClient({ scopes, sites: [site], personId: site.ownerId, now: issued })).token;
  };
  const tokens = new Map([
    [behind, await tokenFor(-SKEW_MS)],
    [ahead, await tokenFor(SKEW_MS)],
  ]);
  const isoDay = (days: number) => new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10);
  const range = { site_id: site.id, period: "custom", from: isoDay(-60), to: isoDay(2), traffic: "all" };

  const asAgent = async (server: RunningServer, path: string, init: RequestInit = {}) => {
    const headers = {
      authorization: `Bearer ${tokens.get(server)}`,
      "content-type": "application/json",
      ...init.headers,
    };
    const answer = await fetch(`${server.url}/api/v1/management/actions/${path}`, { ...init, headers });
    return { status: answer.status, body: await answer.json() };
  };
  const read = (server: RunningServer) =>
    asAgent(server, `analytics.overview?${new URLSearchParams(range as never as Record<string, string>)}`);
  /** Calls a change that a person approves meanwhile. */
  const change = async (server: RunningServer, operation: string, input: object) => {
    const post = (headers: Record<string, string>) =>
      asAgent(server, operation, {
        method: "POST",
        body: JSON.stringify({ site_id: site.id, ...input }),
        headers: { "idempotency-key": randomUUID(), ...headers },
      });
    const { id } = (await post({})).body.error.details.approval;
    await decide(id, site.ownerId);
    expect(await post({ "x-agent-approval-id": id })).toMatchObject({ status: 200 });
  };
  /** Reads until both servers answer this number. @returns the numbers before it, of both */
  const untilBothAnswer = async (pageviews: number) => {
    const before: number[] = [];
    for (const server of servers)
      for (;;) {
        const { status, body } = await read(server);
        if (status === 200 && body.data.metrics.pageviews === pageviews) break;
        if (status === 200) before.push(body.data.metrics.pageviews);
        else expect(status).toBe(503);
        await setTimeout(20);
      }
    // Neither of the answers that follow may count an event again.
    const [one, other] = await Promise.all(servers.map(read));
    expect(one?.body.data.metrics).toMatchObject({ pageviews });
    expect(other?.body.data.metrics).toEqual(one?.body.data.metrics);
    // A copy that is made now, from the first event to the last.
    const { metrics } = await call(site.ownerId, "analytics.overview", range, now);
    expect(metrics).toEqual(one?.body.data.metrics);
    return before;
  };

  const sendPages = async (server: RunningServer, numbers: readonly number[]) => {
    for (const status of await Promise.all(numbers.map((n) => sendPageview(server, site.host, n))))
      expect(status).toBe(202);
  };
  const numbers = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n);
  await sendPages(ahead, numbers(0, 20));
  expect(await untilBothAnswer(20)).toEqual([]);
  // The events of the server that is behind are older than all that both have copied. Ten are of visitors of the other.
  await sendPages(behind, numbers(10, 20));
  expect(Math.max(20, ...(await untilBothAnswer(40)))).toBeLessThanOrEqual(40);
  await Promise.all([sendPages(behind, numbers(100, 50)), sendPages(ahead, numbers(150, 50))]);
  expect(Math.max(40, ...(await untilBothAnswer(140)))).toBeLessThanOrEqual(140);
  const [stored] = await rowsOf<{ behind: number; ahead: number }[]>`
    SELECT count(*) FILTER (WHERE ts < now() - interval '10 minutes')::int AS behind,
      count(*) FILTER (WHERE ts > now() + interval '10 minutes')::int AS ahead
    FROM facts.event WHERE site_id = ${site.id}`;
  expect(stored).toEqual({ behind: 70, ahead: 70 });

  const eventId = randomUUID().replaceAll("-", "");
  const repeated = { domain: site.host, name: "pageview", url: `https://${site.host}/once`, event_id: eventId };
  for (const [n, server] of [ahead, behind, ahead].entries()) {
    const answer = await fetch(`${server.url}/api/event`, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": CHROME, "x-forwarded-for": "198.51.100.1" },
      body: JSON.stringify(repeated),
    });
    expect([n, await answer.json()]).toMatchObject([n, { status: n === 0 ? "stored" : "duplicate" }]);
  }
  await untilBothAnswer(141);

  const monthsAgo = new Date(now.getTime() - 50 * DAY_MS);
  await addMonth(monthsAgo);
  for (const path of ["/old", "/older", "/oldest"]) await send(site, path, { at: monthsAgo });
  await untilBothAnswer(144);
  await change(ahead, "sites.retention.update", { retention_months: 1 });
  await deleteExpiredEvents(now);
  expect(Math.min(144, ...(await untilBothAnswer(141)))).toBeGreaterThanOrEqual(141);

  await change(ahead, "sites.delete", {});
  for (const server of servers) expect((await read(server)).status).toBe(403);
});
