import { expect, test } from "vitest";
import { db } from "@/lib/platform/db";
import { call, faults, refused } from "@/lib/testing/calls";
import { databaseForTests } from "@/lib/testing/database";
import { callApi, makeClient, makePerson, makeSite, send } from "@/lib/testing/world";

databaseForTests();

const NOW = new Date("2025-03-31T15:30:00Z");
const combined = (personId: number, input: object) => call(personId, "sites.combined", input, NOW);

/** A person with three sites in different zones, which people visited. */
async function stage() {
  const personId = await makePerson();
  const sites = await Promise.all(
    ["Europe/Berlin", "Pacific/Auckland", "UTC"].map((timezone) => makeSite({ timezone })),
  );
  for (const [index, site] of sites.entries()) {
    await db().membership.create({ data: { siteId: site.id, personId, role: "viewer" } });
    for (let visitor = 0; visitor <= index + 1; visitor++) {
      const address = `198.51.${index}.${visitor + 1}`;
      const day = visitor % 2 === 0 ? "2025-03-30" : "2025-03-20";
      const landing = { name: "pageview", url: `https://${site.host}/start`, referrer: "https://www.google.com/" };
      await send(site, landing, { at: `${day}T08:00:00Z`, address });
      if (visitor > 0) await send(site, `/more${index}`, { at: `${day}T08:05:00Z`, address });
    }
  }
  return { personId, sites };
}

test("a combined report has the sums of the sites' own reports, rates of all visits, and rows that name their site", async () => {
  const { personId, sites } = await stage();
  const input = { period: "7d", compare: "previous_period" };
  const report = await combined(personId, { ...input, site_ids: sites.map(({ id }) => id) });
  const own = await Promise.all(
    sites.map((site) => call(personId, "analytics.overview", { ...input, site_id: site.id }, NOW)),
  );
  const sum = (of: "metrics" | "previous", metric: string) =>
    own.reduce((all: number, one) => all + Number(one[of][metric]), 0);
  for (const metric of ["visitors", "visits", "pageviews"]) {
    expect(sum("metrics", metric), metric).toBeGreaterThan(0);
    expect(report.metrics[metric], metric).toBe(sum("metrics", metric));
    expect(report.previous[metric], metric).toBe(sum("previous", metric));
  }
  const bounces = own.reduce((all: number, { metrics }) => all + metrics.bounce_rate * metrics.visits, 0);
  expect(report.metrics.bounce_rate).toBeCloseTo(bounces / sum("metrics", "visits"), 10);
  for (const [index, { id, host }] of sites.entries()) {
    expect(report.sites.find((one: { site_id: number }) => one.site_id === id)).toMatchObject({
      ...{ domain: host, metrics: own[index].metrics, previous: own[index].previous, change: own[index].change },
    });
    const google = { site_id: id, domain: host, value: "Google", visitors: own[index].metrics.visitors };
    expect(report.sources).toContainEqual(google);
    expect(report.pages).toContainEqual(expect.objectContaining({ site_id: id, value: "/start" }));
  }
  const inBuckets = report.buckets.reduce((all: number, { visitors }: { visitors: number }) => all + visitors, 0);
  expect([inBuckets, report.interval]).toEqual([report.metrics.visitors, "day"]);
  expect(report.buckets.map(({ label }: { label: string }) => label)).toContain("2025-03-30");
});

test("a combined report is of the chosen sites, of a tag or of a team, and of no site without access", async () => {
  const { personId, sites } = await stage();
  const [first, second, third] = sites.map(({ id }) => id) as [number, number, number];
  const idsOf = async (input: object) =>
    (await combined(personId, { period: "7d", ...input })).sites.map((one: { site_id: number }) => one.site_id).sort();
  await call(personId, "sites.tags.set", { site_id: second, tags: ["Shops"] }, NOW);
  const { id: teamId } = await db().team.create({ data: { name: "Acme", createdAt: NOW } });
  await db().site.update({ where: { id: third }, data: { teamId } });
  expect(await idsOf({})).toEqual([first, second, third].sort());
  expect(await idsOf({ tag: "shops" })).toEqual([second]);
  expect(await idsOf({ team_id: teamId })).toEqual([third]);
  const foreign = await makeSite();
  await db().site.update({ where: { id: foreign.id }, data: { teamId } });
  expect(await idsOf({ team_id: teamId })).toEqual([third]);
  expect((await refused(idsOf({ site_ids: [first, foreign.id] })))?.code).toBe("site_not_granted");
  expect(await faults(idsOf({ site_ids: [first], tag: "shops" }))).toEqual([expect.stringMatching(/^tag: must not/)]);
  expect(await faults(idsOf({ from: "2025-03-20", to: "2025-03-01" }))).toEqual([
    expect.stringMatching(/^from: is after to/),
  ]);
  await db().site.update({ where: { id: first }, data: { disabledAt: NOW } });
  const left = (await combined(personId, { period: "28d" })).sites;
  expect(left.at(-1)).toMatchObject({ site_id: first, disabled: true, metrics: null });
  const agent = await makeClient({ scopes: ["analytics:read"], sites: [{ id: second }], personId, now: NOW });
  const seen = await callApi("sites.combined", { token: agent.token, input: { period: "7d" }, now: NOW });
  expect(seen.body.data.sites.map((one: { site_id: number }) => one.site_id)).toEqual([second]);
});
