import { expect, test } from "vitest";
import { db } from "@/lib/platform/db";
import { RUNS_PER_HOUR } from "@/lib/sites/check/runs";
import { CALL_TIME, call, makeMember, refused } from "@/lib/testing/calls";
import { dnsForTests } from "@/lib/testing/internet";
import { callApi, makeClient, makeSite, type TestSite } from "@/lib/testing/world";

/** Installation tests as agents and people call them; `lib/sites/check` tests their findings. */

// Resolves no names, so every background check fails to reach its page.
dnsForTests();

const START = "sites.installation.tests.start";
const STATUS = "sites.installation.tests.status";
const STOP = "sites.installation.tests.stop";
const later = (ms: number) => new Date(CALL_TIME.getTime() + ms);

const start = (site: TestSite, now = CALL_TIME) => call(site.ownerId, START, { site_id: site.id }, now);

test("a start returns at once, runs in the background and reports its result", async () => {
  const site = await makeSite();
  const client = await makeClient({ scopes: ["sites:read", "sites:write"], sites: [site] });
  const started = await callApi(START, { token: client.token, input: { site_id: site.id }, key: "the-same-key" });
  expect(started.body.data).toMatchObject({ site_id: site.id, status: "queued", running: true });
  const { id } = started.body.data;
  const ask = () => callApi(STATUS, { token: client.token, input: { id, site_id: site.id } });
  while ((await ask()).body.data.running);
  expect((await ask()).body.data).toMatchObject({ status: "failed", findings: [{ code: "page_unreachable" }] });
  const again = await callApi(START, { token: client.token, input: { site_id: site.id }, key: "the-same-key" });
  expect(again.body).toMatchObject({ replayed: true, data: { id } });
});

test("a second start returns the running test, and a stop ends it", async () => {
  const site = await makeSite();
  const first = await start(site);
  expect((await start(site)).id).toBe(first.id);
  const stopped = await call(site.ownerId, STOP, { id: first.id, site_id: site.id });
  expect(["stopped", "failed"]).toContain(stopped.status);
  expect((await call(site.ownerId, STOP, { id: first.id, site_id: site.id })).status).toBe(stopped.status);
  expect((await start(site, later(1))).id).not.toBe(first.id);
});

test("a site has a limit of tests per hour, and the error says when to retry", async () => {
  const site = await makeSite();
  const row = { siteId: site.id, status: "failed", address: "", createdAt: CALL_TIME, expiresAt: CALL_TIME } as const;
  await db().installationTest.createMany({ data: Array.from({ length: RUNS_PER_HOUR }, () => row) });
  expect(await refused(start(site, later(600_000)))).toMatchObject({ code: "rate_limited", retryAfter: 3000 });
  expect((await start(site, later(3_600_001))).status).toBe("queued");
});

test("a viewer cannot start, read or stop tests, and tests of other sites are inaccessible", async () => {
  const [site, other] = [await makeSite(), await makeSite()];
  const { id } = await start(site);
  const viewer = await makeMember(site.id, "viewer");
  for (const [operation, input] of [
    [START, {}],
    [STATUS, { id }],
    [STOP, { id }],
  ] as const) {
    expect((await refused(call(viewer, operation, { site_id: site.id, ...input })))?.code).toBe("role_denied");
    expect((await refused(call(other.ownerId, operation, { site_id: site.id, ...input })))?.code).toBe(
      "site_not_granted",
    );
  }
  for (const operation of [STATUS, STOP]) {
    expect((await refused(call(other.ownerId, operation, { id, site_id: other.id })))?.code).toBe("not_found");
  }
});
