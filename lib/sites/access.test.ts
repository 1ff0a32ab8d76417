import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { db } from "@/lib/platform/db";
import { listSites, readSites } from "@/lib/sites/access";
import { createSite } from "@/lib/sites/create";
import { makeMember, refused } from "@/lib/testing/calls";
import { makePerson, makeSite } from "@/lib/testing/world";

/** Listing, searching and reading the sites of a person. */

const principalOf = (personId: number) => ({ kind: "owner", personId }) as const;

async function siteNamed(personId: number, name: string | null, host = `${randomUUID()}.example`): Promise<number> {
  const site = { host, name, timezone: "UTC", public: false, now: new Date() };
  return createSite(db(), { ...site, creator: principalOf(personId) });
}

const found = async (personId: number, search: string) =>
  (await listSites(db(), principalOf(personId), 1, 100, { search })).sites.map(({ site_id }) => site_id);

test("search matches words of the name and of any domain, case-insensitively", async () => {
  const personId = await makePerson();
  const shop = await siteNamed(personId, "Anna's Shop");
  const blog = await siteNamed(personId, null, `blog-${randomUUID()}.example`);
  await db().siteDomain.create({ data: { siteId: shop, host: `second-${randomUUID()}.example` } });
  expect(await found(personId, "SHOP anna")).toEqual([shop]);
  expect(await found(personId, "second-")).toEqual([shop]);
  expect(await found(personId, "BLOG")).toEqual([blog]);
  expect(await found(personId, "example")).toEqual([shop, blog]);
  expect(await found(personId, "blog anna")).toEqual([]);
  expect(await found(personId, "  ")).toEqual([shop, blog]);
});

test("wildcards, NUL and invalid text in a search are treated as plain text", async () => {
  const personId = await makePerson();
  const [percent, plain] = [await siteNamed(personId, "100% wool_x\\y"), await siteNamed(personId, "100 wool")];
  for (const search of ["%", "_", "\\", "100%", "100%\u0000"])
    expect(await found(personId, search), search).toEqual([percent]);
  expect(await found(personId, "100")).toEqual([percent, plain]);
  expect(await found(personId, "\ud800")).toEqual([]);
  expect(await found(personId, "w ".repeat(10_000))).toEqual([percent, plain]);
});

test("search never returns sites of other people", async () => {
  const site = await makeSite();
  expect(await found(await makePerson(), site.host)).toEqual([]);
});

test("the last of 150 sites is on its list page, is found by search, and is readable in any role", async () => {
  const personId = await makePerson();
  const { id: siteId } = await makeSite();
  const host = `last-${randomUUID()}.example`;
  const others = await db().site.createManyAndReturn({
    data: Array.from({ length: 149 }, (_, n) => ({ name: `Site ${n}`, timezone: "UTC", userKey: new Uint8Array() })),
  });
  await db().membership.createMany({
    data: others.map(({ id }) => ({ siteId: id, personId, role: "owner" as const })),
  });
  const last = await siteNamed(personId, null, host);
  const page = await listSites(db(), principalOf(personId), 7, 24);
  expect([page.total, page.sites.at(-1)?.site_id]).toEqual([150, last]);
  expect(await found(personId, host)).toEqual([last]);
  expect(await readSites(db(), principalOf(personId), [last])).toMatchObject([{ domain: host, role: "owner" }]);
  const viewer = await makeMember(siteId, "viewer");
  expect((await readSites(db(), principalOf(viewer), [siteId]))[0]?.role).toBe("viewer");
  expect((await refused(readSites(db(), principalOf(viewer), [siteId, last])))?.code).toBe("site_not_granted");
});
