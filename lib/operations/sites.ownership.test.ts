import { expect, test } from "vitest";
import type { AnyOperation } from "@/lib/contract/define";
import transferOwnership from "@/lib/operations/sites.ownership.transfer";
import { db } from "@/lib/platform/db";
import { operationMarkdown } from "@/lib/publish/llms/operation-page";
import { describePerson } from "@/lib/sites/people";
import { callApproved } from "@/lib/testing/approved";
import { call, faults, makeMember, refused, revisionOf, summaryOf } from "@/lib/testing/calls";
import { callApi, makeClient, makePerson, makeSite, type TestSite } from "@/lib/testing/world";

const transfer = (site: TestSite, to: number, from = site.ownerId) =>
  call(from, "sites.ownership.transfer", { site_id: site.id, new_owner_id: to });

async function rolesOf(siteId: number): Promise<Record<number, string>> {
  const members = await db().membership.findMany({ where: { siteId } });
  return Object.fromEntries(members.map(({ personId, role }) => [personId, role]));
}

test("the new owner owns the site, the previous one becomes a manager, and the answer shows that role", async () => {
  const site = await makeSite();
  const newOwner = await makeMember(site.id, "viewer");
  const answer = await transfer(site, newOwner);
  expect(answer).toMatchObject({ site_id: site.id, domain: site.host, role: "manager" });
  expect(await rolesOf(site.id)).toEqual({ [site.ownerId]: "manager", [newOwner]: "owner" });
  expect(await revisionOf(site.id)).toBe(2);
});

test("the previous owner cannot transfer the site again", async () => {
  const site = await makeSite();
  await transfer(site, await makeMember(site.id, "manager"));
  const other = await makeMember(site.id, "viewer");
  expect((await refused(transfer(site, other)))?.code).toBe("role_denied");
});

test("other owners stay owners", async () => {
  const site = await makeSite();
  const [second, newOwner] = [await makeMember(site.id, "owner"), await makeMember(site.id, "viewer")];
  await transfer(site, newOwner);
  expect(await rolesOf(site.id)).toEqual({ [site.ownerId]: "manager", [second]: "owner", [newOwner]: "owner" });
});

test("a person who is not a member and a missing person get the same error", async () => {
  const site = await makeSite();
  for (const personId of [await makePerson(), 2 ** 31 - 1, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
    expect(await refused(transfer(site, personId))).toMatchObject({
      code: "not_found",
      message: expect.stringContaining(
        `Person ${personId} is not a member of site ${site.id}. Use a person_id from the members array of sites.settings.get`,
      ),
    });
  }
  expect(await rolesOf(site.id)).toEqual({ [site.ownerId]: "owner" });
  expect(await revisionOf(site.id)).toBe(1);
});

test("an owner cannot transfer a site to themselves", async () => {
  const site = await makeSite();
  expect(await faults(transfer(site, site.ownerId))).toEqual([
    "new_owner_id: must be another member; you already own the site",
  ]);
});

test("a manager cannot transfer a site", async () => {
  const site = await makeSite();
  const manager = await makeMember(site.id, "manager");
  expect((await refused(transfer(site, manager, manager)))?.code).toBe("role_denied");
});

test("of twelve concurrent transfers one succeeds and leaves one owner", async () => {
  const site = await makeSite();
  const candidates = await Promise.all(Array.from({ length: 12 }, () => makeMember(site.id, "viewer")));
  const tries = await Promise.all(candidates.map((newOwner) => refused(transfer(site, newOwner))));
  expect(tries.filter((refusal) => refusal === null)).toHaveLength(1);
  expect(Object.values(await rolesOf(site.id)).filter((role) => role === "owner")).toHaveLength(1);
});

test("the summary names the old and new owner with masked email addresses", async () => {
  const site = await makeSite();
  const newOwner = await makeMember(site.id, "viewer");
  await db().person.update({ where: { id: newOwner }, data: { name: "Jane" } });
  const masked = async (id: number) => describePerson(await db().person.findUniqueOrThrow({ where: { id } }));
  const [old, next] = [await masked(site.ownerId), await masked(newOwner)];
  expect(next).toMatch(/^Jane \(.\*\*\*@example\.com\)$/);
  expect(old).toMatch(/^.\*\*\*@example\.com$/);
  expect(await summaryOf(site.ownerId, site.id, "sites.ownership.transfer", { new_owner_id: newOwner })).toEqual([
    { label: "New owner", before: old, after: next },
    { label: `Role of ${old}`, before: "Owner", after: "Manager" },
  ]);
});

test("a name cannot change the text direction around it", () => {
  expect(describePerson({ name: "Jane\u202e", email: "jane@x.org" })).toBe("Jane (j***@x.org)");
});

const membersSeenBy = async (token: string, siteId: number) =>
  (await callApi("sites.settings.get", { token, input: { site_id: siteId } })).body.data.members;

test("an owner's agent finds a member's id and transfers the site after approval", async () => {
  const site = await makeSite();
  const newOwner = await makeMember(site.id, "viewer");
  const { email } = await db().person.findUniqueOrThrow({ where: { id: newOwner } });
  const scopes = ["sites:read", "teams:write"] as const;
  const { token } = await makeClient({ scopes, sites: [site], personId: site.ownerId });

  const members = await membersSeenBy(token, site.id);
  const found = members.find((member: { email: string }) => member.email === email);
  expect(found).toEqual({ person_id: newOwner, email, name: null, role: "viewer" });
  const input = { site_id: site.id, new_owner_id: found.person_id };
  const approved = { token, input, approverId: site.ownerId, now: new Date() };
  const { status, body } = await callApproved("sites.ownership.transfer", approved);
  expect([status, body.data.role]).toEqual([200, "manager"]);
  expect(await rolesOf(site.id)).toEqual({ [site.ownerId]: "manager", [newOwner]: "owner" });
  // The agent's person is now only a manager of the site.
  expect(await membersSeenBy(token, site.id)).toBeNull();
});

test("members are returned only to owners and to agents that may transfer the site", async () => {
  const [site, other] = [await makeSite(), await makeSite()];
  const manager = await makeMember(site.id, "manager");
  await makeMember(other.id, "viewer");
  const ids = ({ members }: { members: { person_id: number }[] }) => members.map(({ person_id }) => person_id);
  expect(ids(await call(site.ownerId, "sites.settings.get", { site_id: site.id }))).toEqual([site.ownerId, manager]);
  expect((await call(manager, "sites.settings.get", { site_id: site.id })).members).toBeNull();
  const agent = (personId: number, scopes: ("sites:read" | "teams:write")[]) =>
    makeClient({ scopes, sites: [site], personId });
  const [reader, mover] = [
    await agent(site.ownerId, ["sites:read"]),
    await agent(manager, ["sites:read", "teams:write"]),
  ];
  expect(await membersSeenBy(reader.token, site.id)).toBeNull();
  expect(await membersSeenBy(mover.token, site.id)).toBeNull();
});

test("the docs page of the transfer says where the ids of members come from", () => {
  const page = operationMarkdown(transferOwnership as AnyOperation, "https://stats.example.com");
  expect(page).toContain("from `sites.members.list`");
});
