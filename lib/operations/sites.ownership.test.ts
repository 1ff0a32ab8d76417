import { expect, test } from "vitest";
import { db } from "@/lib/db";
import { describePerson } from "@/lib/sites/people";
import { call, faults, makeMember, refused, revisionOf, summaryOf } from "@/lib/testing/calls";
import { makePerson, makeSite, type TestSite } from "@/lib/testing/world";

const transfer = (site: TestSite, to: number, from = site.ownerId) =>
  call(from, "sites.ownership.transfer", { site_id: site.id, new_owner_id: to });

async function rolesOf(siteId: number): Promise<Record<number, string>> {
  const members = await db().membership.findMany({ where: { siteId } });
  return Object.fromEntries(members.map(({ personId, role }) => [personId, role]));
}

test("the new owner owns the site, the old one manages it, and the answer shows it as the old one sees it now", async () => {
  const site = await makeSite();
  const heir = await makeMember(site.id, "viewer");
  const answer = await transfer(site, heir);
  expect(answer).toMatchObject({ site_id: site.id, domain: site.host, role: "manager" });
  expect(await rolesOf(site.id)).toEqual({ [site.ownerId]: "manager", [heir]: "owner" });
  expect(await revisionOf(site.id)).toBe(2);
});

test("who has handed a site over cannot do it again", async () => {
  const site = await makeSite();
  await transfer(site, await makeMember(site.id, "manager"));
  const other = await makeMember(site.id, "viewer");
  expect((await refused(transfer(site, other)))?.code).toBe("role_denied");
});

test("other owners stay owners", async () => {
  const site = await makeSite();
  const [second, heir] = [await makeMember(site.id, "owner"), await makeMember(site.id, "viewer")];
  await transfer(site, heir);
  expect(await rolesOf(site.id)).toEqual({ [site.ownerId]: "manager", [second]: "owner", [heir]: "owner" });
});

test("someone who is no member, and someone who does not exist, must be invited first: the two answer alike", async () => {
  const site = await makeSite();
  for (const personId of [await makePerson(), 2 ** 31 - 1, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
    expect(await refused(transfer(site, personId))).toMatchObject({
      code: "not_found",
      message: `Person ${personId} is not a member of site ${site.id}; invite them to the site first, then transfer it.`,
    });
  }
  expect(await rolesOf(site.id)).toEqual({ [site.ownerId]: "owner" });
  expect(await revisionOf(site.id)).toBe(1);
});

test("nobody hands a site over to themselves", async () => {
  const site = await makeSite();
  expect(await faults(transfer(site, site.ownerId))).toEqual([
    "new_owner_id: is you, who own the site already; name another member",
  ]);
});

test("a manager hands nothing over", async () => {
  const site = await makeSite();
  const manager = await makeMember(site.id, "manager");
  expect((await refused(transfer(site, manager, manager)))?.code).toBe("role_denied");
});

test("twelve transfers in the same moment: one happens, and there is one owner", async () => {
  const site = await makeSite();
  const heirs = await Promise.all(Array.from({ length: 12 }, () => makeMember(site.id, "viewer")));
  const tries = await Promise.all(heirs.map((heir) => refused(transfer(site, heir))));
  expect(tries.filter((refusal) => refusal === null)).toHaveLength(1);
  expect(Object.values(await rolesOf(site.id)).filter((role) => role === "owner")).toHaveLength(1);
});

test("a human reads who hands over to whom, with most of each address hidden", async () => {
  const site = await makeSite();
  const heir = await makeMember(site.id, "viewer");
  await db().person.update({ where: { id: heir }, data: { name: "Jane" } });
  const masked = async (id: number) => describePerson(await db().person.findUniqueOrThrow({ where: { id } }));
  const [old, next] = [await masked(site.ownerId), await masked(heir)];
  expect(next).toMatch(/^Jane \(.\*\*\*@example\.com\)$/);
  expect(old).toMatch(/^.\*\*\*@example\.com$/);
  expect(await summaryOf(site.ownerId, site.id, "sites.ownership.transfer", { new_owner_id: heir })).toEqual([
    { label: "Owner", before: old, after: next },
    { label: `Role of ${old}`, before: "Owner", after: "Manager" },
  ]);
});

test("a name cannot turn the direction of what stands around it", () => {
  expect(describePerson({ name: "Jane\u202e", email: "jane@x.org" })).toBe("Jane (j***@x.org)");
});
