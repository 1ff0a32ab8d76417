import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openEmail } from "@/lib/email/mailer";
import { db } from "@/lib/platform/db";
import { HOUR_MS } from "@/lib/platform/durations";
import { CAUSED_EMAILS } from "@/lib/platform/limits";
import { decide } from "@/lib/testing/approved";
import { call, makeMember, refused } from "@/lib/testing/calls";
import { EMAIL_TIME, emailsOf } from "@/lib/testing/emails";
import { callApi, makeClient, makePerson, makeSite, type TestSite } from "@/lib/testing/world";

/** Emails to approvers about requests, and to owners about risky operations. */

const SCOPES = ["sites:read", "sites:write", "sites:delete", "teams:write"] as const;
const now = EMAIL_TIME;

async function requestApproval(site: TestSite, personId: number | null, operation = "sites.delete", more: object = {}) {
  const agent = await makeClient({ scopes: SCOPES, sites: [site], personId, now });
  const input = { site_id: site.id, ...more };
  const answer = await callApi(operation, { token: agent.token, input, now });
  return { agent, input, approval: answer.body.error.details.approval, answer };
}

test("possible approvers get an email with the link, the operation, the site and the code to compare", async () => {
  const site = await makeSite();
  const { approval } = await requestApproval(site, site.ownerId);
  const [email, ...more] = await emailsOf(site.ownerId);
  expect(more).toEqual([]);
  expect(email?.subject).toBe(`Approval request: Delete a site (${site.host})`);
  for (const part of [
    `http://localhost:3000/approvals/${approval.id}`,
    "sites.delete",
    site.host,
    approval.binding_code,
    "“A test's agent”",
    "The agent's name is unverified",
    `because you may approve requests for ${site.host}`,
  ])
    expect(email?.text).toContain(part);
});

test("emails write an international domain in its own letters, but as it is encoded while only an agent has named it", async () => {
  const site = await makeSite();
  const host = `${randomUUID()}.xn--bcher-kva.example`;
  await db().siteDomain.updateMany({ where: { siteId: site.id }, data: { host } });
  const own = host.replace(/xn--bcher-kva(?=\.example)/, "bücher");
  await requestApproval(site, site.ownerId);
  await db().siteDomain.updateMany({ where: { siteId: site.id }, data: { namedByAgent: true } });
  await requestApproval(site, site.ownerId);
  const subjects = (await emailsOf(site.ownerId)).map(({ subject }) => subject);
  const names = [own, host.replaceAll(".", "[.]")];
  expect(subjects.sort()).toEqual(names.map((name) => `Approval request: Delete a site (${name})`).sort());
});

test("a pending request is emailed only once", async () => {
  const site = await makeSite();
  const { agent, input } = await requestApproval(site, site.ownerId);
  await callApi("sites.delete", { token: agent.token, input, key: randomUUID(), now });
  expect(await emailsOf(site.ownerId)).toHaveLength(1);
});

test("the agent's own human is emailed if their role suffices, otherwise the members whose role does", async () => {
  const site = await makeSite();
  const [second, manager] = [await makeMember(site.id, "owner"), await makeMember(site.id, "manager")];
  await requestApproval(site, second);
  expect(await emailsOf(second)).toHaveLength(1);
  expect(await emailsOf(site.ownerId)).toHaveLength(0);

  const extra = await db().siteDomain.create({ data: { siteId: site.id, host: `${randomUUID()}.example` } });
  await requestApproval(site, manager, "sites.domains.delete", { domain_id: extra.id });
  expect(await emailsOf(second)).toHaveLength(2);
  expect(await emailsOf(site.ownerId)).toHaveLength(1);
  expect(await emailsOf(manager)).toHaveLength(0);
});

test("every owner is emailed about a deletion, including the one who did it, and no one else", async () => {
  const site = await makeSite();
  const [second, viewer] = [await makeMember(site.id, "owner"), await makeMember(site.id, "viewer")];
  await call(site.ownerId, "sites.delete", { site_id: site.id }, now);
  for (const owner of [site.ownerId, second]) {
    const [email] = await emailsOf(owner);
    expect(email?.subject).toBe(`Delete a site: ${site.host}`);
    expect(email?.text).toContain("All data: “Stored” → “Deleted permanently”");
    expect(email?.text).toContain(`you owned ${site.host} when this was done`);
  }
  expect(await emailsOf(viewer)).toEqual([]);
});

test("the email says You with a link to the own account, or who did it and to ask them", async () => {
  const site = await makeSite();
  const second = await makeMember(site.id, "owner");
  await call(site.ownerId, "sites.delete", { site_id: site.id }, now);
  const [[own], [other]] = [await emailsOf(site.ownerId), await emailsOf(second)];
  expect(own?.text).toMatch(/^You did this on /);
  expect(own?.text).toMatch(/If this was not you, .*\/reset\n.*\/account\n/);
  expect(other?.text).not.toMatch(/^You did/);
  expect(other?.text).toContain("ask them");
});

test("owners are emailed which agent did what they had approved", async () => {
  const site = await makeSite();
  const { agent, input, approval } = await requestApproval(site, site.ownerId);
  await decide(approval.id, site.ownerId, "approved", now);
  const headers = { "x-agent-approval-id": approval.id };
  const { status } = await callApi("sites.delete", { token: agent.token, input, headers, now });
  expect(status).toBe(200);
  const emails = await emailsOf(site.ownerId);
  expect(emails).toHaveLength(2);
  const notification = emails.find(({ text }) => text.includes(agent.id) && text.includes("did this on"));
  expect(notification?.text).toMatch(/review which agents have access to your sites: .*\/agents\n/);
});

test("failed operations and low-risk operations send no email", async () => {
  const site = await makeSite();
  const stranger = await makePerson();
  expect(
    await refused(call(site.ownerId, "sites.ownership.transfer", { site_id: site.id, new_owner_id: stranger }, now)),
  ).not.toBeNull();
  const settings = { name: "Shop", timezone: "UTC", reporting_currency: "EUR", public: true };
  await call(site.ownerId, "sites.settings.update", { site_id: site.id, ...settings }, now);
  expect(await emailsOf(site.ownerId)).toEqual([]);
});

test("a line break in an agent's name adds no line to the email", async () => {
  const site = await makeSite();
  const agent = await makeClient({ scopes: SCOPES, sites: [site], personId: site.ownerId, now });
  await db().client.update({
    where: { id: agent.id },
    data: { name: "Helper\r\n\r\nYour account is closed. Go to https://evil.example" },
  });
  await callApi("sites.delete", { token: agent.token, input: { site_id: site.id }, now });
  const [email] = await emailsOf(site.ownerId);
  expect(email?.text).not.toMatch(/^Your account/m);
});

/** A manager makes keys one after the other, each of which is a change that owners are told. */
async function makeKeys(site: TestSite, managerId: number, count: number, at = now) {
  for (let n = 0; n < count; n++)
    await call(managerId, "sites.keys.create", { site_id: site.id, name: `Key ${n}` }, at);
}

test("a manager who changes much causes five emails to an owner within an hour, and one digest of all further changes", async () => {
  const site = await makeSite();
  const manager = await makeMember(site.id, "manager");
  await makeKeys(site, manager, 17);
  const emails = await emailsOf(site.ownerId);
  expect(emails).toHaveLength(CAUSED_EMAILS.limit + 1);
  const [digest, ...others] = emails.filter(({ digest: lines }) => lines !== undefined);
  expect(others).toEqual([]);
  expect(digest?.subject).toBe("12 further changes");
  expect(digest?.text.match(/Create an ingest key/g)).toHaveLength(12);
  expect(digest?.text).toContain(site.host);
});

test("a digest is sent at the end of its hour, and the next hour begins with single emails", async () => {
  const site = await makeSite();
  const manager = await makeMember(site.id, "manager");
  await makeKeys(site, manager, 7);
  const sendAfter = async () => {
    const rows = await db().mail.findMany();
    const email = (await db().person.findUniqueOrThrow({ where: { id: site.ownerId } })).email;
    return rows.filter((row) => openEmail(row).to === email).map((row) => row.sendAfter.getTime() - now.getTime());
  };
  expect((await sendAfter()).sort((one, other) => one - other)).toEqual([0, 0, 0, 0, 0, HOUR_MS]);
  await makeKeys(site, manager, 1, new Date(now.getTime() + HOUR_MS));
  expect(await emailsOf(site.ownerId)).toHaveLength(CAUSED_EMAILS.limit + 2);
});

test("a flood of one person does not delay the email about what another one does", async () => {
  const site = await makeSite();
  const [manager, second] = [await makeMember(site.id, "manager"), await makeMember(site.id, "manager")];
  await makeKeys(site, manager, 7);
  await makeKeys(site, second, 1);
  const single = (await emailsOf(site.ownerId)).filter(({ digest }) => digest === undefined);
  expect(single).toHaveLength(CAUSED_EMAILS.limit + 1);
});

test("parallel changes on several sites lose no line of a digest", async () => {
  const sites = await Promise.all([makeSite(), makeSite(), makeSite()]);
  const [ownerId, manager] = [await makePerson(), await makePerson()];
  for (const { id } of sites)
    await db().membership.createMany({
      data: [
        { siteId: id, personId: ownerId, role: "owner" },
        { siteId: id, personId: manager, role: "manager" },
      ],
    });
  await Promise.all(sites.map((site) => makeKeys(site, manager, 6)));
  const emails = await emailsOf(ownerId);
  expect(emails).toHaveLength(CAUSED_EMAILS.limit + 1);
  expect(emails.flatMap(({ digest = [] }) => digest)).toHaveLength(18 - CAUSED_EMAILS.limit);
});
