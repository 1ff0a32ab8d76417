import { randomUUID } from "node:crypto";
import { domainToASCII } from "node:url";
import { expect, test } from "vitest";
import { db } from "@/lib/platform/db";
import { siteTitle } from "@/lib/platform/legible-host";
import { findSites, type ListedSite, type PeriodNumbers, type Sort, sortSites } from "@/lib/sites/site-list";
import { call } from "@/lib/testing/calls";
import { doAction, newOwner } from "@/lib/testing/owners";
import { makePerson, makeSite } from "@/lib/testing/world";

const NOW = new Date("2025-03-20T12:00:00Z");

/** A site with this name, created on this day. */
const listed = (name: string, day: number, pinned = false): ListedSite => ({
  siteId: day,
  name,
  domain: "x.example",
  timezone: "UTC",
  pinned,
  tags: [],
  disabled: false,
  createdAt: new Date(Date.UTC(2025, 0, day)),
});
const numbersWith = (visitors: number, before: number): PeriodNumbers => ({
  ...{ visitors, visits: visitors },
  before: { visitors: before, visits: before },
  days: [],
});

test("sites sort by name, visitors, change, live visitors or age; pinned sites come first, ties are sorted by name", () => {
  const sites = [listed("Site 10", 1), listed("site 9", 2), listed("Alpha", 3), listed("Zeta", 4, true)];
  const inPeriod = new Map([
    [1, numbersWith(10, 100)],
    [2, numbersWith(10, 5)],
    [3, numbersWith(500, 0)],
  ]);
  const present = new Map([[2, 3]]);
  const order = (sort: Sort) => sortSites(sites, sort, { inPeriod, present }).map(({ name }) => name);
  expect(order("name")).toEqual(["Zeta", "Alpha", "site 9", "Site 10"]);
  expect(order("visitors")).toEqual(["Zeta", "Alpha", "site 9", "Site 10"]);
  expect(order("change")).toEqual(["Zeta", "site 9", "Site 10", "Alpha"]);
  expect(order("live")).toEqual(["Zeta", "site 9", "Alpha", "Site 10"]);
  expect(order("created")).toEqual(["Zeta", "Alpha", "site 9", "Site 10"]);
  expect(sortSites(sites, "visitors").map(({ name }) => name)).toEqual(["Zeta", "Alpha", "site 9", "Site 10"]);
});

test("pins are per person and are removed with the membership", async () => {
  const [site, ann] = [await makeSite(), await newOwner(NOW)];
  await db().membership.create({ data: { siteId: site.id, personId: ann.personId, role: "viewer" } });
  const pin = (pinned: unknown, siteId = site.id) => doAction(ann, "sites.pin", { site_id: siteId, pinned }, NOW);
  const pinsOf = async (personId: number) =>
    (await findSites(db(), personId, "")).filter(({ pinned }) => pinned).map(({ siteId }) => siteId);
  expect((await pin(true)).status).toBe(200);
  expect([await pinsOf(ann.personId), await pinsOf(site.ownerId)]).toEqual([[site.id], []]);
  expect((await pin("yes")).status).toBe(422);
  expect((await pin(false)).status).toBe(200);
  expect(await pinsOf(ann.personId)).toEqual([]);
});

test("foreign, left and deleted sites are neither listed nor can be pinned", async () => {
  const [own, foreign, deleted, ann] = [await makeSite(), await makeSite(), await makeSite(), await newOwner(NOW)];
  const left = await makeSite();
  for (const { id } of [own, deleted, left]) {
    await db().membership.create({ data: { siteId: id, personId: ann.personId, role: "owner" } });
  }
  await call(ann.personId, "sites.delete", { site_id: deleted.id }, NOW);
  await db().membership.delete({ where: { siteId_personId: { siteId: left.id, personId: ann.personId } } });
  expect((await findSites(db(), ann.personId, "")).map(({ siteId }) => siteId)).toEqual([own.id]);
  expect((await findSites(db(), ann.personId, own.host.toUpperCase())).map(({ siteId }) => siteId)).toEqual([own.id]);
  expect(await findSites(db(), ann.personId, foreign.host)).toEqual([]);
  for (const { id } of [foreign, deleted, left]) {
    const { body } = await doAction(ann, "sites.pin", { site_id: id, pinned: true }, NOW);
    expect(body.error.code).toBe("site_not_granted");
  }
});

test("an international domain is found and read as people write it", async () => {
  const personId = await makePerson();
  const host = `bücher-${randomUUID().slice(0, 8)}.example`;
  await call(personId, "sites.create", { domain: host, timezone: "UTC", public: false });
  for (const search of [host, host.split(".")[0]?.toUpperCase() ?? "", "xn--b"]) {
    const [found] = await findSites(db(), personId, search);
    expect(found && [found.domain, siteTitle(found)], search).toEqual([domainToASCII(host), host]);
  }
  expect(siteTitle({ name: null, domain: "xn--r8jz45g.jp" })).toBe("例え.jp");
  expect(siteTitle({ name: "Books", domain: "xn--r8jz45g.jp" })).toBe("Books");
});
