import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { replacementOf } from "@/lib/agents/approval-inbox";
import { db } from "@/lib/platform/db";
import { HOUR_MS, MINUTE_MS } from "@/lib/platform/durations";
import { APPROVAL_RATES, PENDING_APPROVALS } from "@/lib/platform/limits";
import { makeMember } from "@/lib/testing/calls";
import { EMAIL_TIME, emailsOf } from "@/lib/testing/emails";
import {
  callApi,
  makeClient,
  makePerson,
  makeSite,
  siteWithAgent,
  type TestClient,
  type TestSite,
} from "@/lib/testing/world";

/** Limits on the approval requests and emails that one client may cause. */

const SCOPES = ["sites:read", "sites:write", "sites:delete", "teams:write"] as const;
const now = EMAIL_TIME;
const { requests, emailsToPerson, emails } = APPROVAL_RATES;

const setup = () => siteWithAgent(SCOPES, now);

const requestApproval = (agent: TestClient, site: TestSite, name: string, at = now) =>
  callApi("sites.settings.update", {
    token: agent.token,
    input: { site_id: site.id, name, timezone: "UTC", reporting_currency: "USD", public: true },
    now: at,
  });

/** Needs no approval and increments the site's revision. */
const changeSite = (agent: TestClient, site: TestSite) =>
  callApi("sites.domains.add", {
    token: agent.token,
    input: { site_id: site.id, domain: `${randomUUID()}.example` },
    now,
  });

const countApprovals = (agent: TestClient, status?: "pending" | "superseded") =>
  db().approval.count({ where: { clientId: agent.id, ...(status && { status }) } });

test("alternating an approval operation with one that needs none creates 20 approvals and one email an hour", async () => {
  const { site, agent } = await setup();
  const answers = [];
  for (let n = 0; n < 25; n++) {
    answers.push(await requestApproval(agent, site, `Name ${n}`));
    expect((await changeSite(agent, site)).status).toBe(200);
  }
  const statuses = answers.map(({ status }) => status);
  expect(statuses).toEqual([...Array(requests.limit).fill(409), ...Array(25 - requests.limit).fill(429)]);
  const refused = answers.at(-1);
  expect(refused?.body.error.code).toBe("rate_limited");
  expect(refused?.body.error.message).toContain("at most 20 approvals an hour");
  expect(refused?.headers["retry-after"]).toBe("3600");
  expect(await countApprovals(agent)).toBe(20);
  expect(await countApprovals(agent, "pending")).toBeLessThanOrEqual(1);
  expect(await emailsOf(site.ownerId)).toHaveLength(1);
});

test("an hour after the first request a client can request approval again", { tags: "full" }, async () => {
  const { site, agent } = await setup();
  for (let n = 0; n <= requests.limit; n++) {
    await requestApproval(agent, site, `Name ${n}`);
    await changeSite(agent, site);
  }
  const later = new Date(now.getTime() + HOUR_MS);
  await db().accessToken.updateMany({
    where: { clientId: agent.id },
    data: { expiresAt: new Date(later.getTime() + 1) },
  });
  expect((await requestApproval(agent, site, "Later", later)).status).toBe(409);
  expect(await emailsOf(site.ownerId)).toHaveLength(2);
});

test("repeating a call with a pending approval does not count towards the limit", { tags: "full" }, async () => {
  const { site, agent } = await setup();
  for (let n = 0; n < 30; n++) expect((await requestApproval(agent, site, "Same")).status).toBe(409);
  expect(await countApprovals(agent)).toBe(1);
  expect(await emailsOf(site.ownerId)).toHaveLength(1);
});

test("parallel requests cannot exceed the limit of a client", async () => {
  const ownerId = await makePerson();
  const sites = await Promise.all(Array.from({ length: 5 }, () => makeSite()));
  for (const { id } of sites) await db().membership.create({ data: { siteId: id, personId: ownerId, role: "owner" } });
  const agent = await makeClient({ scopes: SCOPES, sites, personId: ownerId, now });
  const burst = (word: string) =>
    Promise.all(sites.flatMap((site) => [0, 1, 2].map((n) => requestApproval(agent, site, `${word} ${n}`))));
  const first = await burst("One");
  await Promise.all(sites.map((site) => changeSite(agent, site)));
  const second = await burst("Two");
  const made = [...first, ...second].filter(({ status }) => status === 409);
  expect(made).toHaveLength(requests.limit);
  expect(await countApprovals(agent)).toBe(requests.limit);
});

test("one person gets at most 30 approval emails an hour from all their agents, and every request is in the inbox", async () => {
  const ownerId = await makePerson();
  const sites = await Promise.all(Array.from({ length: 4 }, () => makeSite()));
  for (const { id } of sites) await db().membership.create({ data: { siteId: id, personId: ownerId, role: "owner" } });
  const agents = await Promise.all([0, 1].map(() => makeClient({ scopes: SCOPES, sites, personId: ownerId, now })));
  for (const agent of agents)
    for (const site of sites)
      for (let n = 0; n < 5; n++) expect((await requestApproval(agent, site, `Name ${n}`)).status).toBe(409);
  expect(await emailsOf(ownerId)).toHaveLength(emailsToPerson.limit);
  expect(await db().approval.count({ where: { client: { ownerId }, status: "pending" } })).toBe(40);
});

test("one client causes at most 40 approval emails an hour, however many people may decide", async () => {
  const { site, agent } = await setup();
  await db().membership.updateMany({ where: { siteId: site.id }, data: { role: "manager" } });
  const owners = await Promise.all(Array.from({ length: 12 }, () => makeMember(site.id, "owner")));
  const domains = await db().siteDomain.createManyAndReturn({
    data: Array.from({ length: 5 }, () => ({ siteId: site.id, host: `${randomUUID()}.example` })),
  });
  for (const { id } of domains) {
    const input = { site_id: site.id, domain_id: id };
    expect((await callApi("sites.domains.delete", { token: agent.token, input, now })).status).toBe(409);
  }
  const sent = await Promise.all(owners.map(emailsOf));
  expect(sent.flat()).toHaveLength(emails.limit);
});

test("the page of a replaced request leads to the current one, for people who may see it", async () => {
  const { site, agent } = await setup();
  const first = (await requestApproval(agent, site, "One")).body.error.details.approval.id;
  expect(await replacementOf(first, site.ownerId, now)).toBeNull();
  await changeSite(agent, site);
  const second = (await requestApproval(agent, site, "Two")).body.error.details.approval.id;
  expect(await replacementOf(first, site.ownerId, now)).toBe(second);
  expect(await replacementOf(first, await makePerson(), now)).toBeNull();
});

/** Approvals for one operation, each requested a minute after the one before it. */
async function fillRoom(agent: TestClient, site: TestSite) {
  const ids: string[] = [];
  for (let n = 0; n < PENDING_APPROVALS.per_operation_and_site; n++) {
    const { body } = await requestApproval(agent, site, `Name ${n}`, new Date(now.getTime() + n * MINUTE_MS));
    ids.push(body.error.details.approval.id);
  }
  return ids;
}

test("beyond the pending requests of one operation and site, Retry-After is the time until the first expires", async () => {
  const { site, agent } = await siteWithAgent([...SCOPES, "account:read"], now);
  await fillRoom(agent, site);
  const refused = await requestApproval(agent, site, "One more", new Date(now.getTime() + 5 * MINUTE_MS));
  expect([refused.status, refused.body.error.code]).toEqual([429, "rate_limited"]);
  expect(Number(refused.headers["retry-after"])).toBe(24 * 3600 - 5 * 60);
  for (const word of ["sites.settings.update on one site", "approvals.withdraw"])
    expect(refused.body.error.message).toContain(word);
  const { limits } = (await callApi("account.capabilities", { token: agent.token, now })).body.data;
  expect(limits.pending_approvals).toEqual({ limit: 20, per_operation_and_site: 5, used: 5 });
});

test("withdrawing a request makes room at once, and the next one sends no second email", async () => {
  const { site, agent } = await siteWithAgent([...SCOPES, "account:read"], now);
  const [first] = await fillRoom(agent, site);
  const emails = (await emailsOf(site.ownerId)).length;
  const withdraw = { token: agent.token, input: { approval_id: first }, now };
  const { body } = await callApi("approvals.withdraw", withdraw);
  expect(body.data).toMatchObject({ approval_id: first, status: "withdrawn", operation: "sites.settings.update" });
  expect((await requestApproval(agent, site, "One more")).status).toBe(409);
  expect(await emailsOf(site.ownerId)).toHaveLength(emails);
  expect((await callApi("approvals.withdraw", withdraw)).body.data.status).toBe("withdrawn");
});

test("a client lists its own requests alone, and withdraws no others", async () => {
  const { site, agent } = await siteWithAgent([...SCOPES, "account:read"], now);
  const scopes = [...SCOPES, "account:read"] as const;
  const other = await makeClient({ scopes, sites: [site], personId: site.ownerId, now });
  const ids = await fillRoom(agent, site);
  const list = async (one: TestClient) =>
    (await callApi("approvals.list", { token: one.token, now })).body.data.approvals as { approval_id: string }[];
  expect((await list(agent)).map(({ approval_id }) => approval_id)).toEqual(ids.reverse());
  expect(await list(other)).toEqual([]);
  const input = { approval_id: ids[0] };
  const refused = await callApi("approvals.withdraw", { token: other.token, input, now });
  expect([refused.status, refused.body.error.code]).toEqual([404, "not_found"]);
  expect(await countApprovals(agent, "pending")).toBe(5);
});

test("an approved request that was withdrawn cannot be used", async () => {
  const { site, agent } = await siteWithAgent([...SCOPES, "account:read"], now);
  const id = (await requestApproval(agent, site, "One")).body.error.details.approval.id;
  const expiresAt = new Date(now.getTime() + HOUR_MS);
  await db().approval.update({ where: { id }, data: { status: "approved", approverId: site.ownerId, expiresAt } });
  await callApi("approvals.withdraw", { token: agent.token, input: { approval_id: id }, now });
  const { status, body } = await callApi("sites.settings.update", {
    token: agent.token,
    input: { site_id: site.id, name: "One", timezone: "UTC", reporting_currency: "USD", public: true },
    headers: { "x-agent-approval-id": id },
    now,
  });
  expect([status, body.error.details.reason]).toEqual([409, "withdrawn"]);
});
