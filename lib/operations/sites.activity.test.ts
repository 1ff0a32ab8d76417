import { expect, test } from "vitest";
import { flushIngestStats } from "@/lib/ingest/store/ingest-stats";
import { db } from "@/lib/platform/db";
import { call, faults, makeMember, refused } from "@/lib/testing/calls";
import { databaseForTests } from "@/lib/testing/database";
import { callApi, makeSite, post, send, siteWithAgent, type TestSite } from "@/lib/testing/world";

/** What owners see of a site besides its reports: activity, outcomes of events, quota, incidents and the audit log. */
databaseForTests();

const NOW = new Date("2025-03-04T12:00:00Z");
const ask = (site: TestSite, id: string, more: object = {}) =>
  call(site.ownerId, id, { site_id: site.id, ...more }, NOW);

test("the last event, current visitors and recent refusals are those of what was sent", async () => {
  const site = await makeSite();
  const before = await ask(site, "sites.activity");
  expect(before).toEqual({ last_event_at: null, active_visitors: 0, refused: [] });
  const other = await makeSite();
  for (const address of ["203.0.113.1", "203.0.113.2", "203.0.113.1"]) await send(other, "/", { address });
  for (let i = 0; i < 3; i++) await post(other, { name: i });
  await flushIngestStats();
  const { last_event_at, ...activity } = await ask(other, "sites.activity");
  expect(activity).toEqual({ active_visitors: 2, refused: [{ reason: "invalid_input:name", events: 3 }] });
  const stored = await db().$queryRaw<
    { ts: Date }[]
  >`SELECT max(ts) AS ts FROM facts.event WHERE site_id = ${other.id}`;
  expect(last_event_at).toBe(stored[0]?.ts.toISOString());
});

test("event outcomes are counted by reason and UTC day, within the range that was asked for", async () => {
  const site = await makeSite();
  const event = { name: "Signup", url: `https://${site.host}/`, event_id: "signup-0123456789" };
  for (const at of ["2025-02-02T23:59:59Z", "2025-02-03T00:00:00Z", "2025-03-03T10:00:00Z", "2025-03-04T10:00:00Z"]) {
    await post(site, { name: 1 }, { at });
    await post(site, "/", { at });
  }
  for (let i = 0; i < 2; i++) await post(site, event, { at: NOW });
  await flushIngestStats();
  const refusedDays = ["2025-02-03", "2025-03-03", "2025-03-04"].map((day) => ({ day, events: 1 }));
  expect(await ask(site, "sites.events.outcomes")).toEqual({
    from: "2025-02-03",
    to: "2025-03-04",
    outcomes: [
      {
        outcome: "stored",
        reason: null,
        events: 4,
        days: [...refusedDays.slice(0, 2), { day: "2025-03-04", events: 2 }],
      },
      { outcome: "refused", reason: "invalid_input:name", events: 3, days: refusedDays },
      { outcome: "duplicate", reason: null, events: 1, days: [{ day: "2025-03-04", events: 1 }] },
    ],
  });
  const { outcomes } = await ask(site, "sites.events.outcomes", { from: "2025-02-02", to: "2025-02-02" });
  expect(outcomes.map(({ events }: { events: number }) => events)).toEqual([1, 1]);
});

test("a range of event outcomes that ends before it begins, or is longer than a year, is refused", async () => {
  const site = await makeSite();
  const askIn = (from: string, to: string) => faults(ask(site, "sites.events.outcomes", { from, to }));
  expect(await askIn("2025-03-02", "2025-03-01")).toEqual(["from: is after to (2025-03-01); swap them"]);
  expect(await askIn("2024-01-01", "2025-01-01")).toEqual(["from: must be at most 366 days before to"]);
  expect(await askIn("2024-01-01", "2024-12-31")).toEqual([]);
});

test("incidents are listed with open ones first, and checks while monitoring is on", async () => {
  const site = await makeSite();
  expect(await ask(site, "sites.monitoring.get")).toEqual({ checks: null, incidents: [] });
  const at = (hour: number) => new Date(Date.UTC(2025, 2, 4, hour));
  await db().monitor.create({
    data: {
      siteId: site.id,
      nextCheckAt: NOW,
      checkedAt: at(11),
      problem: "responded with 500",
      status: 500,
      tookMs: 40,
    },
  });
  const incident = { siteId: site.id, notified: true };
  await db().incident.createMany({
    data: [
      { ...incident, cause: "unreachable", startedAt: at(1), seen: "It responded with 500." },
      { ...incident, cause: "spike", startedAt: at(2), endedAt: at(3), seen: "90 visits.", notified: false },
    ],
  });
  const { checks, incidents } = await ask(site, "sites.monitoring.get");
  expect(checks).toEqual({
    checked_at: "2025-03-04T11:00:00.000Z",
    problem: "responded with 500",
    status: 500,
    took_ms: 40,
    certificate_until: null,
    hour: null,
  });
  expect(incidents).toMatchObject([
    { cause: "unreachable", started_at: "2025-03-04T01:00:00.000Z", ended_at: null, notified: true },
    { cause: "spike", ended_at: "2025-03-04T03:00:00.000Z", seen: "90 visits.", notified: false },
  ]);
});

test("members are listed with whether they get emails about incidents", async () => {
  const site = await makeSite();
  const [viewer, manager] = [await makeMember(site.id, "viewer"), await makeMember(site.id, "manager")];
  await db().membership.updateMany({ where: { siteId: site.id, personId: manager }, data: { alerts: true } });
  const { members } = await ask(site, "sites.members.list");
  expect(new Map(members.map((one: { person_id: number; alerts: boolean }) => [one.person_id, one.alerts]))).toEqual(
    new Map([
      [site.ownerId, true],
      [manager, true],
      [viewer, false],
    ]),
  );
});

test("settings name the public dashboard and whether there is a signing key, and never the key", async () => {
  const site = await makeSite();
  const read = () => ask(site, "sites.settings.get");
  expect(await read()).toMatchObject({
    public: false,
    public_url: `http://localhost:3000/share/${site.host}`,
    has_signing_key: false,
    previous_key_valid_until: null,
    primary_moves_at: null,
  });
  const change = { trusted_proxy_ips: ["192.0.2.1"], require_signature: true, rotate_signing_key: true };
  const { signing_key: first } = await ask(site, "sites.proxy.update", change);
  expect(await read()).toMatchObject({ has_signing_key: true, previous_key_valid_until: null });
  const { signing_key: second } = await ask(site, "sites.proxy.update", change);
  const settings = await read();
  expect(settings.previous_key_valid_until).toBe("2025-03-05T12:00:00.000Z");
  expect(JSON.stringify(settings)).not.toMatch(new RegExp(`${first}|${second}`));
});

test.each(["sites.activity", "sites.quota.get", "sites.monitoring.get"])("a viewer may call %s", async (id) => {
  const site = await makeSite();
  expect(await refused(call(await makeMember(site.id, "viewer"), id, { site_id: site.id }, NOW))).toBeNull();
});

test("the audit log names who did what, with decisions and without what was sent", async () => {
  const { site, agent } = await siteWithAgent(["sites:read", "sites:write"]);
  await ask(site, "sites.goals.save", { name: "Signup", reached_by: { kind: "event", pattern: "very-secret" } });
  const input = { site_id: site.id, name: "French", filters: { country: "FR" } };
  expect((await callApi("sites.segments.save", { token: agent.token, input })).status).toBe(200);
  const detail = { decision: "denied", payload_sha256: "0" };
  await db().audit.create({
    data: {
      at: new Date(),
      siteId: site.id,
      clientId: agent.id,
      personId: site.ownerId,
      operation: "sites.delete",
      requestId: "r",
      detail,
    },
  });
  const answer = await callApi("sites.audit.list", { token: agent.token, input: { site_id: site.id } });
  expect(answer.body.data.entries).toMatchObject([
    { operation: "sites.delete", decision: "denied", client_id: agent.id, person_id: site.ownerId },
    { operation: "sites.segments.save", decision: null, client_id: agent.id, person_id: site.ownerId },
    { operation: "sites.goals.save", decision: null, client_id: null, person_id: site.ownerId, request_id: "test" },
  ]);
  expect(JSON.stringify(answer.body)).not.toMatch(/very-secret|French/);
});

test("pages of the audit log neither lose nor repeat an entry, also of one moment and while new ones arrive", async () => {
  const [site, other] = [await makeSite(), await makeSite()];
  const add = (siteId: number, ms: number, name: string) =>
    db().audit.create({
      data: { at: new Date(NOW.getTime() + ms), siteId, operation: name, requestId: name, detail: {} },
    });
  // Not in order of time: a call that waited for the lock has an earlier time and a later id.
  const times = [5, 1, 1, 1, 3, 1, 2, 2, 5, 4, 1];
  for (const [index, ms] of times.entries()) {
    await add(site.id, ms, `entry ${index}`);
    await add(other.id, ms, "foreign");
  }
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: { entries: { operation: string }[]; cursor: string | null } = await ask(site, "sites.audit.list", {
      limit: 2,
      cursor,
    });
    seen.push(...page.entries.map(({ operation }) => operation));
    cursor = page.cursor;
    await add(site.id, 9, "new");
  } while (cursor !== null);
  const inOrder = times.map((ms, index) => ({ ms, index })).sort((a, b) => b.ms - a.ms || b.index - a.index);
  expect(seen).toEqual(inOrder.map(({ index }) => `entry ${index}`));
});

test.each(["x", "1", "1-2-3", "-1-1", "99999999999999999-1", "999999999999999-1"])(
  "the cursor %j of an audit log is refused",
  async (cursor) => {
    const site = await makeSite();
    expect(await faults(ask(site, "sites.audit.list", { cursor }))).toEqual([
      "cursor: must be the cursor of the previous page",
    ]);
  },
);

test("the quota counts the events stored in this UTC month, and ends for a site with a verified domain", async () => {
  const site = await makeSite();
  for (const at of ["2025-02-28T23:59:59Z", "2025-03-01T00:00:00Z", "2025-03-04T10:00:00Z"])
    await send(site, "/", { at });
  await flushIngestStats();
  expect(await ask(site, "sites.quota.get")).toEqual({
    quota: { events: 1_000_000, used: 2, unproven: true, renews_at: "2025-04-01T00:00:00.000Z" },
  });
  await db().siteDomain.updateMany({ where: { siteId: site.id }, data: { verifiedAt: NOW } });
  expect(await ask(site, "sites.quota.get")).toEqual({ quota: null });
});
