import { expect, test } from "vitest";
import { db } from "@/lib/platform/db";
import { callApproved } from "@/lib/testing/approved";
import { call, makeMember, refused, summaryOf } from "@/lib/testing/calls";
import { EMAIL_TIME, emailsOf } from "@/lib/testing/emails";
import { importFiles } from "@/lib/testing/transfer";
import { makeClient, makePerson, makeSite, send, type TestSite } from "@/lib/testing/world";
import { GA4 } from "@/lib/transfer/ga4";
import { PLAUSIBLE } from "@/lib/transfer/plausible";

const NOW = new Date("2025-03-20T12:00:00Z");
const TOTALS = `"date","visitors","pageviews","bounces","visits","visit_duration"
"2025-03-01",10,30,4,12,600
"2025-03-02",20,50,5,25,1500
`;
const EVENTS = "date,name,link_url,path,visitors,events\n2025-03-01,404,,/gone,2,7\n";
const GOOGLE = "Date,Total users,Sessions,Views,Bounce rate,Average session duration\n20250227,8,10,25,0.4,30.5\n";
const COUNTRIES = "Date,Country ID,Total users,Sessions,Views\n20250227,DE,5,6,20\n20250301,DE,5,6,20\n";

const P = (table: string) => `imported_${table}_20250301_20250310.csv`;

/** Creates a site with an event of its own and imports from two services that share one day. */
async function siteWithImports(): Promise<TestSite> {
  const site = await makeSite();
  await send(site, "/", { at: "2025-03-10T12:00:00Z" });
  await importFiles(site, PLAUSIBLE, { [P("visitors")]: TOTALS, [P("custom_events")]: EVENTS });
  await importFiles(site, GA4, { totals: GOOGLE, countries: COUNTRIES });
  return site;
}

const list = async (site: TestSite, personId = site.ownerId) =>
  (await call(personId, "sites.imports.list", { site_id: site.id }, NOW)).imports;
const remove = (site: TestSite, input: object = {}, personId = site.ownerId, now = NOW) =>
  call(personId, "sites.imports.delete", { site_id: site.id, ...input }, now);
const reported = async (site: TestSite) => {
  const input = { site_id: site.id, from: "2025-02-20", to: "2025-03-19" };
  const { metrics, meta, panels } = await call(site.ownerId, "analytics.overview", input, NOW);
  return { visitors: metrics.visitors, events: metrics.events, imported: meta.imported, countries: panels.countries };
};

const OF_GA4 = {
  source: "ga4",
  from: "2025-02-27",
  to: "2025-03-01",
  days: 2,
  dimensions: ["country"],
  visitors: 8,
  visits: 10,
  pageviews: 25,
  events: null,
};
const OF_PLAUSIBLE = {
  source: "plausible",
  from: "2025-03-01",
  to: "2025-03-02",
  days: 2,
  dimensions: ["event"],
  visitors: 30,
  visits: 37,
  pageviews: 80,
  events: 7,
};

test("imports are listed by service, with days, dimensions and totals", async () => {
  const site = await siteWithImports();
  expect(await list(site, await makeMember(site.id, "viewer"))).toEqual([OF_GA4, OF_PLAUSIBLE]);
  expect(await list(await makeSite())).toEqual([]);
});

test("deleting the imports of a service removes its days from reports; the site's own events stay", async () => {
  const site = await siteWithImports();
  expect(await reported(site)).toMatchObject({
    visitors: 39,
    events: 7,
    imported: { from: "2025-02-27", to: "2025-03-02" },
  });
  // The country of 1 March is deleted too, because that day has no total any more.
  expect(await remove(site, { source: "plausible" })).toEqual({ sources: ["plausible"], days: 2 });
  expect(await list(site)).toEqual([{ ...OF_GA4, to: "2025-02-27", days: 1 }]);
  expect(await reported(site)).toMatchObject({
    visitors: 9,
    events: null,
    imported: { from: "2025-02-27", to: "2025-02-27" },
    countries: expect.arrayContaining([expect.objectContaining({ value: "DE", visitors: 5 })]),
  });
  expect(await remove(site)).toEqual({ sources: ["ga4"], days: 1 });
  expect(await list(site)).toEqual([]);
  expect(await reported(site)).toMatchObject({ visitors: 1, imported: undefined });
});

test("deleting the imports of one service keeps the day totals of another, without the deleted events", async () => {
  const site = await siteWithImports();
  const days = "Date,Total users,Sessions,Views,Bounce rate,Average session duration\n20250301,3,4,5,0,0\n";
  await importFiles(site, GA4, { totals: days });
  expect((await reported(site)).events).toBe(7);
  await remove(site, { source: "plausible" });
  expect(await reported(site)).toMatchObject({ visitors: 12, events: null });
});

test("deleted imports can be imported again", async () => {
  const site = await siteWithImports();
  const before = await list(site);
  await remove(site, { source: "plausible" });
  await importFiles(site, PLAUSIBLE, { [P("visitors")]: TOTALS, [P("custom_events")]: EVENTS });
  await importFiles(site, GA4, { countries: COUNTRIES });
  expect(await list(site)).toEqual(before);
});

test("deleting missing imports is not_found, and imports of other sites stay", async () => {
  const [site, other] = [await makeSite(), await siteWithImports()];
  expect((await refused(remove(site)))?.code).toBe("not_found");
  expect((await refused(remove(other, { source: "umami" })))?.message).toBe(
    'The site has no imports from "umami". sites.imports.list shows the services.',
  );
  await importFiles(site, PLAUSIBLE, { [P("visitors")]: TOTALS });
  await remove(site);
  expect(await list(other)).toEqual([OF_GA4, OF_PLAUSIBLE]);
});

test("only an owner can delete imports; every owner gets an email, and the audit log records it", async () => {
  const site = await siteWithImports();
  const [manager, second] = [await makeMember(site.id, "manager"), await makeMember(site.id, "owner")];
  expect((await refused(remove(site, {}, manager)))?.code).toBe("role_denied");
  expect((await refused(remove(site, {}, await makePerson())))?.code).toBe("site_not_granted");
  expect((await refused(list(site, await makePerson())))?.code).toBe("site_not_granted");
  await remove(site, { source: "ga4" }, site.ownerId, EMAIL_TIME);
  for (const personId of [site.ownerId, second]) {
    const [email] = await emailsOf(personId);
    expect(email?.subject).toContain("Delete imports");
    expect(email?.text).toContain("Imported from ga4");
  }
  expect(await emailsOf(manager)).toEqual([]);
  expect(await db().audit.findMany({ where: { siteId: site.id }, orderBy: { id: "asc" } })).toMatchObject([
    { operation: "sites.imports.delete", personId: site.ownerId, requestId: "test", detail: { source: "ga4" } },
  ]);
});

test("an agent can delete imports after a person has approved the listed ones", async () => {
  const site = await siteWithImports();
  expect(await summaryOf(site.ownerId, site.id, "sites.imports.delete", {})).toEqual([
    { label: "Imported from ga4", before: "2025-02-27 to 2025-03-01: 8 visitors, 25 pageviews", after: null },
    { label: "Imported from plausible", before: "2025-03-01 to 2025-03-02: 30 visitors, 80 pageviews", after: null },
  ]);
  // GA4 has countries of 1 March; the total of that day is from Plausible.
  expect(await summaryOf(site.ownerId, site.id, "sites.imports.delete", { source: "plausible" })).toEqual([
    { label: "Imported from plausible", before: "2025-03-01 to 2025-03-02: 30 visitors, 80 pageviews", after: null },
    { label: "Other imported data of those days", before: "1 day", after: null },
  ]);
  const { token } = await makeClient({ scopes: ["sites:write"], sites: [site], personId: site.ownerId });
  const { status, body, approvalId } = await callApproved("sites.imports.delete", {
    token,
    input: { site_id: site.id, source: "plausible" },
    approverId: site.ownerId,
    now: new Date(),
  });
  expect([status, body.data]).toEqual([200, { sources: ["plausible"], days: 2 }]);
  expect(
    await db().audit.findFirst({ where: { siteId: site.id, approvalId, requestId: body.request_id } }),
  ).not.toBeNull();
});
