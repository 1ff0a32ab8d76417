import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { execute } from "@/lib/gateway/execute";
import sitesActivity from "@/lib/operations/sites.activity";
import { db } from "@/lib/platform/db";
import { type Shares, sharesOf } from "@/lib/platform/report-shares";
import { reportTime } from "@/lib/platform/report-time";
import { call, refused } from "@/lib/testing/calls";
import { rowsOf } from "@/lib/testing/rows";
import { callApi, makeClient, makePerson, makeSite, send } from "@/lib/testing/world";

const NOW = new Date("2025-03-12T12:00:00Z");

/** A report whose statement never ends by itself. */
const endless = defineOperation({
  id: "analytics.endless",
  title: "Endless",
  about: "Sleeps.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({ site_id: z.int() }),
  example: { site_id: 1 },
  output: z.object({}),
  run: async () => {
    await rowsOf`SELECT 1 AS endless_report FROM pg_sleep(3600)`;
    return {};
  },
});

async function runningEndless(): Promise<number> {
  const [row] = await db().$queryRaw<{ count: number }[]>`
    SELECT count(*)::int FROM pg_stat_activity
    WHERE state = 'active' AND query LIKE '%AS endless_report FROM%' AND pid <> pg_backend_pid()`;
  return row?.count ?? 0;
}

test("eight endless reports of one person over four sites do not delay another person's report", async () => {
  const personId = await makePerson();
  const own = await Promise.all(Array.from({ length: 4 }, () => makeSite()));
  await db().membership.createMany({ data: own.map(({ id }) => ({ siteId: id, personId, role: "owner" as const })) });
  const leaving = new AbortController();
  let ended = 0;
  const all = [...own, ...own].map((site) =>
    execute(endless, {
      principal: { kind: "owner", personId },
      input: { site_id: site.id },
      now: NOW,
      signal: leaving.signal,
    }).then(
      () => ended++,
      () => ended++,
    ),
  );
  while ((await runningEndless()) < 3) await setImmediate();
  const other = await makeSite();
  const { metrics } = await call(other.ownerId, "analytics.overview", { site_id: other.id, period: "today" }, NOW);
  expect(metrics.visitors).toBe(0);
  expect([ended, await runningEndless()]).toEqual([0, 3]);
  leaving.abort();
  await Promise.all(all);
  while ((await runningEndless()) > 0) await setImmediate();
});

test("bounded repeats that would take seconds to compile are refused at their field", async () => {
  const site = await makeSite();
  await send(site, "/a", { at: NOW });
  const filters = { page: { matches: "(x{0,255}){0,60}" } };
  const refusal = await refused(
    call(site.ownerId, "analytics.overview", { site_id: site.id, period: "today", filters }, NOW),
  );
  expect(refusal).toMatchObject({
    status: 422,
    details: { issues: [{ path: "filters.page.matches", message: expect.stringMatching(/^repeats too much/) }] },
  });
});

test("beyond the report time a person's agents get 429 with Retry-After, and another person's agents do not", async () => {
  const [site, other] = await Promise.all([makeSite(), makeSite()]);
  const scopes = ["analytics:read"] as const;
  const agentOf = (one: typeof site) => makeClient({ scopes, sites: [one], personId: one.ownerId });
  const [agent, second, stranger] = [await agentOf(site), await agentOf(site), await agentOf(other)];
  reportTime().charge(sharesOf({ kind: "owner", personId: site.ownerId }), 1_300_000);
  const runReport = (token: string, siteId: number) =>
    callApi("analytics.overview", { token, input: { site_id: siteId, period: "today" } });
  for (const { token } of [agent, second]) {
    const answer = await runReport(token, site.id);
    expect([answer.status, answer.body.error.code]).toEqual([429, "rate_limited"]);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(1);
    expect(answer.body.error.message).toContain("your account, with all of its agents");
    expect(answer.body.error.details.budget.report_seconds).toBe(120);
  }
  expect((await runReport(stranger.token, other.id)).status).toBe(200);
});

test("a report is charged to its person and its agent; operations that read no events are not limited", async () => {
  const site = await makeSite();
  const client = await makeClient({
    scopes: ["analytics:read", "sites:read"],
    sites: [site],
    personId: site.ownerId,
  });
  const shares = sharesOf({ kind: "client", clientId: client.id, personId: site.ownerId });
  // The same budget keys, with limits that any report exceeds.
  const tiny = shares.map((share): Shares => [{ ...share, seconds: 0.001 }]);
  for (const share of tiny) expect(() => reportTime().refuseSpent(share)).not.toThrow();
  const report = () => callApi("analytics.overview", { token: client.token, input: { site_id: site.id } });
  expect((await report()).status).toBe(200);
  for (const share of tiny) expect(() => reportTime().refuseSpent(share)).toThrow(/report time of/);
  reportTime().charge(shares, 1_300_000);
  expect((await report()).status).toBe(429);
  expect((await callApi("sites.list", { token: client.token })).status).toBe(200);
});

test("query parameters of a POST are refused by name, and nothing is done", async () => {
  const personId = await makePerson();
  const { token } = await makeClient({ scopes: ["sites:create"], personId });
  const before = await db().site.count({ where: { memberships: { some: { personId } } } });
  const answer = await callApi("sites.create", {
    token,
    input: {
      domain: `${token
        .slice(-8)
        .toLowerCase()
        .replace(/[^a-z0-9]/g, "x")}.example`,
      timezone: "UTC",
    },
    query: { dry_run: "true", domain: "x.example" },
  });
  expect(answer.status).toBe(422);
  expect(answer.body.error.details.issues).toEqual(
    ["dry_run", "domain"].map((path) => ({
      path,
      message: "is not a query parameter of this operation; send parameters in the JSON body",
    })),
  );
  expect(await db().site.count({ where: { memberships: { some: { personId } } } })).toBe(before);
});

test("pages show their small reports also when the report time of the person is used up, agents do not", async () => {
  const site = await makeSite();
  const principal = { kind: "owner", personId: site.ownerId } as const;
  reportTime().charge(sharesOf(principal), 10 * 60_000);
  const ask = { principal, input: { site_id: site.id }, now: NOW };
  expect((await refused(execute(sitesActivity, ask)))?.code).toBe("rate_limited");
  expect((await execute(sitesActivity, { ...ask, overBudget: true })).data.last_event_at).toBeNull();
  const { token } = await makeClient({ scopes: ["analytics:read"], sites: [site], personId: site.ownerId });
  expect((await callApi("sites.activity", { token, input: { site_id: site.id } })).status).toBe(429);
});
