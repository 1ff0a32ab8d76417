import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { readWebhook } from "@/lib/monitoring/webhooks";
import { db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { callApproved } from "@/lib/testing/approved";
import { call, makeMember, refused, revisionOf, summaryOf } from "@/lib/testing/calls";
import { EMAIL_TIME, emailsOf } from "@/lib/testing/emails";
import { dnsForTests } from "@/lib/testing/internet";
import { callApi, makePerson, makeSite, siteWithAgent, type TestClient, type TestSite } from "@/lib/testing/world";

/** The time of all calls. The name server resolves no names, so no message is delivered. */
const NOW = EMAIL_TIME;
dnsForTests();

const URL_TYPED = "https://alerts.example.com/hook/very-secret";
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

const stage = () => siteWithAgent(["sites:read", "sites:write"], NOW);

const ask = (site: TestSite, act: string, more: object = {}, personId = site.ownerId) =>
  call(personId, `sites.webhooks.${act}`, { site_id: site.id, ...more }, NOW);

const callAs = ({ token }: TestClient, act: string, input: Record<string, unknown>, key: string) =>
  callApi(`sites.webhooks.${act}`, { token, input, key, now: NOW });

/** Calls, has the owner approve, and calls again. */
async function approved({ site, agent }: { site: TestSite; agent: TestClient }, act: string, more: object = {}) {
  const asked = { token: agent.token, input: { site_id: site.id, ...more }, approverId: site.ownerId, now: NOW };
  const answer = await callApproved(`sites.webhooks.${act}`, asked);
  expect(answer.first.body.error.details.approval.risk, act).toBe("security");
  return answer;
}

test("an agent sets a webhook, rotates its secret, tests and deletes it, with approval for all but the test", async () => {
  const staged = await stage();
  const { site, agent } = staged;
  const get = async () =>
    (await callApi("sites.webhooks.get", { token: agent.token, input: { site_id: site.id }, now: NOW })).body.data
      .webhook;
  expect(await get()).toBeNull();

  const created = await approved(staged, "set", { url: URL_TYPED });
  expect(created.body.data).toEqual({ host: "alerts.example.com", secret: expect.stringMatching(SECRET) });
  const replayed = (await callApi("sites.webhooks.set", created.sent)).body;
  expect([replayed.replayed, replayed.data]).toEqual([true, created.body.data]);
  expect((await approved(staged, "set", { url: "https://other.example.com/" })).body.data).toEqual({
    host: "other.example.com",
    secret: null,
  });

  const { data } = (await approved(staged, "rotate")).body;
  const until = new Date(NOW.getTime() + DAY_MS).toISOString();
  expect(data).toEqual({ secret: expect.stringMatching(SECRET), previous_secret_valid_until: until });
  expect(data.secret).not.toBe(created.body.data.secret);

  const tested = await callAs(agent, "send_test", { site_id: site.id }, randomUUID());
  expect([tested.status, tested.body.data.outcome]).toEqual([200, "Could not be reached"]);
  expect(await get()).toEqual({
    host: "other.example.com",
    url: null,
    previous_secret_valid_until: until,
    deliveries: [
      {
        delivery_id: tested.body.data.delivery_id,
        type: "test",
        created_at: NOW.toISOString(),
        delivered_at: null,
        next_attempt_at: expect.any(String),
        outcome: "Could not be reached",
      },
    ],
  });

  expect((await approved(staged, "delete")).body.data).toEqual({ site_id: site.id });
  expect(await get()).toBeNull();
});

test("an agent can read only the host of a webhook URL, a person all of it, and nobody the secret again", async () => {
  const { site, agent } = await stage();
  const { secret } = await ask(site, "set", { url: URL_TYPED });
  const read = await callApi("sites.webhooks.get", { token: agent.token, input: { site_id: site.id }, now: NOW });
  expect(read.body.data.webhook).toMatchObject({ host: "alerts.example.com", url: null });
  const { webhook } = await ask(site, "get");
  expect(webhook).toMatchObject({ host: "alerts.example.com", url: URL_TYPED });
  expect(JSON.stringify(webhook)).not.toContain("whsec_");
  const other = { site_id: site.id, url: "https://alerts.example.com/other" };
  const refusal = await callAs(agent, "set", other, randomUUID());
  expect(refusal.status).toBe(409);
  expect(JSON.stringify([read.body, refusal.body])).not.toMatch(/very-secret|whsec_/);
  const stored = await db().webhook.findUniqueOrThrow({ where: { siteId: site.id } });
  expect(Buffer.from(stored.secret).includes(Buffer.from(secret.slice(6), "base64"))).toBe(false);
});

test("a test is sent once per Idempotency-Key, and refused without sending after ten per caller", async () => {
  const { site, agent } = await stage();
  await ask(site, "set", { url: URL_TYPED });
  const [input, key] = [{ site_id: site.id }, randomUUID()];
  const first = await callAs(agent, "send_test", input, key);
  const again = await callAs(agent, "send_test", input, key);
  expect([again.body.replayed, again.body.data]).toEqual([true, first.body.data]);
  await db().rateCount.update({ where: { key: `webhook:client:${agent.id}` }, data: { hits: 10 } });
  const refusal = await callAs(agent, "send_test", input, randomUUID());
  expect([refusal.status, refusal.body.error.code]).toEqual([429, "rate_limited"]);
  const deliveries = async () => (await readWebhook(site.id, NOW))?.deliveries.map(({ id }) => id);
  expect(await deliveries()).toEqual([first.body.data.delivery_id]);
  // The limit is per caller: the agent's person may still test.
  expect(await ask(site, "send_test")).toMatchObject({ outcome: "Could not be reached" });
  expect(await deliveries()).toHaveLength(2);
});

test("viewers and strangers cannot use webhooks, and a site without one gets not_found", async () => {
  const site = await makeSite();
  const [viewer, stranger] = [await makeMember(site.id, "viewer"), await makePerson()];
  for (const act of ["get", "set", "rotate", "send_test", "delete"]) {
    const more = act === "set" ? { url: URL_TYPED } : {};
    expect((await refused(ask(site, act, more, viewer)))?.code, act).toBe("role_denied");
    expect((await refused(ask(site, act, more, stranger)))?.code, act).toBe("site_not_granted");
  }
  const { agent } = await stage();
  const foreign = await callAs(agent, "send_test", { site_id: site.id }, randomUUID());
  expect(foreign.body.error.code).toBe("site_not_granted");
  for (const act of ["rotate", "send_test", "delete"]) {
    expect((await refused(ask(site, act)))?.code, act).toBe("not_found");
  }
});

test("the audit log records each change without URL and secret, and the revision increments", async () => {
  const site = await makeSite();
  const before = await revisionOf(site.id);
  await ask(site, "set", { url: URL_TYPED });
  await ask(site, "rotate");
  const { delivery_id, outcome } = await ask(site, "send_test");
  await ask(site, "delete");
  expect(await revisionOf(site.id)).toBe(before + 3);
  const rows = await db().audit.findMany({ where: { siteId: site.id }, orderBy: { id: "asc" } });
  const on = { site_domain: site.host };
  expect(rows.map(({ operation, detail }) => [operation, detail])).toEqual([
    ["sites.webhooks.set", { host: "alerts.example.com", ...on }],
    ["sites.webhooks.rotate", { site_id: site.id, ...on }],
    ["sites.webhooks.send_test", { delivery_id, outcome, ...on }],
    ["sites.webhooks.delete", { site_id: site.id, ...on }],
  ]);
  expect(rows.every(({ personId, requestId }) => personId === site.ownerId && requestId === "test")).toBe(true);
  expect(await emailsOf(site.ownerId)).toHaveLength(3);
});

test("the summary shows the masked URL, and a missing webhook is not_found", async () => {
  const site = await makeSite();
  const summary = (act: string, more: object = {}) =>
    summaryOf(site.ownerId, site.id, `sites.webhooks.${act}`, { site_id: site.id, ...more });
  for (const act of ["rotate", "delete"]) expect((await refused(summary(act)))?.code, act).toBe("not_found");
  expect(await summary("set", { url: " HTTPS://Alerts.example.com/a b " })).toEqual([
    { label: "Webhook URL", before: null, after: "https://alerts.example.com/…" },
    { label: "Signing secret", before: null, after: "New secret" },
  ]);
  await ask(site, "set", { url: URL_TYPED });
  expect(await summary("set", { url: "https://alerts.example.com/other" })).toEqual([
    { label: "Webhook URL", before: "https://alerts.example.com/hook/…", after: "https://alerts.example.com/…" },
    { label: "Signing secret", before: "Set", after: "Set" },
  ]);
  expect(await summary("delete")).toEqual([{ label: "Webhook URL", before: "alerts.example.com", after: null }]);
});

test("a webhook URL must have a host name, not an IP address", async () => {
  const site = await makeSite();
  for (const url of [
    "https://127.0.0.1/hook",
    "https://[::1]/hook",
    "https://203.0.113.7/hook",
    "https://2130706433/",
  ]) {
    const refusal = await refused(ask(site, "set", { url }));
    expect(JSON.stringify(refusal?.details), url).toContain("must contain a host name, not an IP address");
  }
});
