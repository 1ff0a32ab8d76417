import { expect, test } from "vitest";
import type { Scope } from "@/lib/contract/access";
import { type ExclusionKind, readPattern } from "@/lib/contract/exclusion-patterns";
import { findLocation } from "@/lib/ingest/enrich/geo";
import { flushIngestStats } from "@/lib/ingest/store/ingest-stats";
import { db } from "@/lib/platform/db";
import { call, makeMember, refused, revisionOf, summaryOf } from "@/lib/testing/calls";
import { rowsOf } from "@/lib/testing/rows";
import { callApi, makeClient, makeSite, post, type TestSite } from "@/lib/testing/world";

const now = new Date("2025-03-04T12:00:00Z");
const exclude = (site: TestSite, kind: ExclusionKind, pattern: string, personId = site.ownerId) =>
  call(personId, "sites.exclusions.add", { site_id: site.id, kind, pattern }, now);
const deleteRule = (site: TestSite, exclusion_id: number, personId = site.ownerId) =>
  call(personId, "sites.exclusions.delete", { site_id: site.id, exclusion_id }, now);
const rulesOf = (site: TestSite, personId = site.ownerId) =>
  call(personId, "sites.exclusions.list", { site_id: site.id }, now);

const countryOf = (address: string) => findLocation(address).country;

/** Sends a pageview. @returns its filter reason or status. */
async function sent(site: TestSite, path: string, more: { address?: string; host?: string; own?: boolean } = {}) {
  const { host = site.host, address = "203.0.113.7", ...rest } = more;
  const event = { name: "pageview", url: `https://${host}${path}`, ...rest };
  const result = await (await post(site, event, { address, at: now })).json();
  return result.reason ?? result.status;
}

test("excluded addresses, ranges, paths and hostnames are filtered with their reason", async () => {
  const site = await makeSite();
  await exclude(site, "address", "192.0.2.10");
  await exclude(site, "address", "2001:db8:1::/48");
  await exclude(site, "path", "/admin/**");
  await exclude(site, "hostname", `*.test.${site.host}`);
  expect(await sent(site, "/", { address: "192.0.2.10" })).toBe("excluded_address");
  expect(await sent(site, "/", { address: "2001:db8:1:2::3" })).toBe("excluded_address");
  expect(await sent(site, "/admin/users?id=1")).toBe("excluded_path");
  expect(await sent(site, "/", { host: `a.test.${site.host}` })).toBe("excluded_hostname");
  expect(await sent(site, "/", { address: "192.0.2.11" })).toBe("stored");
  expect(await sent(site, "/administrators")).toBe("stored");
  expect(await sent(site, "/", { host: `test.${site.host}` })).toBe("stored");
});

test("path rules match the path as it was sent, before tokens are removed and before it is cut", async () => {
  const site = await makeSite();
  await exclude(site, "path", "/reset/*");
  await exclude(site, "path", "/u/*@example.com");
  await exclude(site, "path", "/t/a1B2c3D4e5F6g7H8i9J0k1L2m3");
  await exclude(site, "path", "/**/end");
  await exclude(site, "path", "/(token)");
  const token = "a1B2c3D4e5F6g7H8i9J0k1L2m3";
  expect(await sent(site, `/reset/${token}`)).toBe("excluded_path");
  expect(await sent(site, `/t/${token}`)).toBe("excluded_path");
  expect(await sent(site, `/t/${token}4`)).toBe("stored");
  expect(await sent(site, `/${token}`)).toBe("stored");
  expect(await sent(site, "/u/ann@example.com")).toBe("excluded_path");
  expect(await sent(site, `/long/${"x".repeat(3500)}/end`)).toBe("excluded_path");
  expect(await sent(site, `/long/${"x".repeat(3500)}/ending`)).toBe("stored");
});

test("an excluded country is filtered, also on sites that store no locations", async () => {
  const site = await makeSite();
  await db().site.update({ where: { id: site.id }, data: { geoPrecision: "none" } });
  await exclude(site, "country", countryOf("8.8.8.8"));
  expect(await sent(site, "/", { address: "8.8.8.8" })).toBe("excluded_country");
  expect(await sent(site, "/", { address: "192.0.2.1" })).toBe("stored");
});

test("an opted-out browser is filtered as own traffic", async () => {
  const site = await makeSite();
  expect(await sent(site, "/", { own: true })).toBe("own_traffic");
  expect(await sent(site, "/", { own: false })).toBe("stored");
});

test("each filtered event is counted by reason and day, and nothing of it is stored", async () => {
  const site = await makeSite();
  await exclude(site, "path", "/drafts/*");
  await sent(site, "/drafts/a");
  await sent(site, "/drafts/b");
  await sent(site, "/", { own: true });
  await flushIngestStats();
  expect(
    await rowsOf`
      SELECT day::text, outcome, reason, events::int FROM facts.intake WHERE site_id = ${site.id} ORDER BY reason`,
  ).toEqual([
    { day: "2025-03-04", outcome: "filtered", reason: "excluded_path", events: 2 },
    { day: "2025-03-04", outcome: "filtered", reason: "own_traffic", events: 1 },
  ]);
  expect(await rowsOf`SELECT 1 FROM facts.event WHERE site_id = ${site.id}`).toEqual([]);
});

test.each([
  ["address", "::ffff:192.0.2.77/120", "192.0.2.0/24"],
  ["address", "2001:DB8:0::1/32", "2001:db8::/32"],
  ["country", "fr", "FR"],
  ["country", "uk", "GB"],
  ["path", "/café/**", "/caf%C3%A9/**"],
  ["path", "/a/../b/*", "/b/*"],
  ["hostname", "*.Test.Example.com.", "*.test.example.com"],
] as const)("the %s %s is stored as %s", (kind, typed, pattern) => {
  expect(readPattern(kind, typed)).toEqual({ pattern });
});

test("a rule for www is refused, because it would exclude the whole site", () => {
  for (const typed of ["www.example.com", "WWW.example.com", "*.www.example.com"])
    expect(readPattern("hostname", typed)).toHaveProperty("fault");
});

test.each([
  ["address", "10.0.0.0/33"],
  ["address", "0.0.0.0/0"],
  ["address", "0x7f.1"],
  ["address", "fe80::1%eth0"],
  ["country", "ZZ"],
  ["country", "France"],
  ["country", "EU"],
  ["path", "admin"],
  ["path", "/a?b=1"],
  ["path", "/a/**b"],
  ["path", "/a**/b"],
  ["path", "/***"],
  ["path", `/${"a".repeat(300)}`],
  ["hostname", "*"],
  ["hostname", "*.com"],
  ["hostname", "a.*.example.com"],
  ["hostname", "192.0.2.1"],
] as const)("the %s %s is refused with a sentence", (kind, typed) => {
  expect(readPattern(kind, typed)).toEqual({ fault: expect.stringMatching(/\w+ \w+/) });
});

test("a rule can be added once, and a site has at most 200 rules", async () => {
  const site = await makeSite();
  await exclude(site, "country", "fr");
  await expect(exclude(site, "country", "FR")).rejects.toMatchObject({ code: "invalid_input" });
  const rows = Array.from({ length: 199 }, (_, i) => ({ pattern: `/${i}`, kind: "path" as const }));
  await db().siteExclusion.createMany({ data: rows.map((row) => ({ ...row, siteId: site.id, createdAt: now })) });
  await expect(exclude(site, "path", "/more")).rejects.toThrow("exceeds the limit of 200 rules per site");
});

test("managers can list, add and delete rules; viewers and members of other sites cannot", async () => {
  const [site, other] = [await makeSite(), await makeSite()];
  const [manager, viewer] = [await makeMember(site.id, "manager"), await makeMember(site.id, "viewer")];
  const rule = await exclude(site, "country", "fr", manager);
  expect(rule).toEqual({ exclusion_id: expect.any(Number), kind: "country", pattern: "FR" });
  expect(await rulesOf(site, manager)).toEqual({ exclusions: [rule] });
  for (const [personId, code] of [
    [viewer, "role_denied"],
    [other.ownerId, "site_not_granted"],
  ] as const) {
    await expect(rulesOf(site, personId)).rejects.toMatchObject({ code });
    await expect(exclude(site, "country", "de", personId)).rejects.toMatchObject({ code });
    await expect(deleteRule(site, rule.exclusion_id, personId)).rejects.toMatchObject({ code });
  }
  await expect(deleteRule(other, rule.exclusion_id)).rejects.toMatchObject({ code: "not_found" });
  expect(await deleteRule(site, rule.exclusion_id, manager)).toEqual(rule);
  await expect(deleteRule(site, rule.exclusion_id)).rejects.toMatchObject({ code: "not_found" });
});

test("adding and deleting a rule are in the audit log with the stored pattern, and each increases the site's revision", async () => {
  const site = await makeSite();
  const before = await revisionOf(site.id);
  const rule = await exclude(site, "hostname", "*.Test.example.com");
  await deleteRule(site, rule.exclusion_id);
  expect(await revisionOf(site.id)).toBe(before + 2);
  const audit = await db().audit.findMany({ where: { siteId: site.id }, orderBy: { id: "asc" } });
  const detail = { ...rule, pattern: "*.test.example.com", site_domain: site.host };
  expect(audit.map(({ operation, personId, detail }) => ({ operation, personId, detail }))).toEqual([
    { operation: "sites.exclusions.add", personId: site.ownerId, detail },
    { operation: "sites.exclusions.delete", personId: site.ownerId, detail },
  ]);
});

test("an agent with sites:write needs approval to add or delete a rule, and an agent without it cannot", async () => {
  const site = await makeSite();
  const tokens = async (scopes: readonly Scope[]) =>
    (await makeClient({ scopes, sites: [site], personId: site.ownerId })).token;
  const [reader, writer] = [await tokens(["sites:read"]), await tokens(["sites:write"])];
  const input = { site_id: site.id, kind: "path", pattern: "/drafts/*" };
  const denied = await callApi("sites.exclusions.add", { token: reader, input });
  expect([denied.status, denied.body.error.code]).toEqual([403, "insufficient_scope"]);
  const { exclusion_id } = await exclude(site, "hostname", "test.example.com");
  const requests: [id: string, input: object, line: object][] = [
    ["sites.exclusions.add", input, { before: null, after: "/drafts/*" }],
    ["sites.exclusions.delete", { site_id: site.id, exclusion_id }, { before: "test.example.com", after: null }],
  ];
  for (const [id, operationInput, line] of requests) {
    const { status, body } = await callApi(id, { token: writer, input: { ...operationInput } });
    expect([status, body.error.code], id).toEqual([409, "approval_required"]);
    expect(await summaryOf(site.ownerId, site.id, id, operationInput)).toMatchObject([line]);
  }
  const listed = await callApi("sites.exclusions.list", { token: reader, input: { site_id: site.id } });
  expect(listed.body.data.exclusions).toEqual((await rulesOf(site)).exclusions);
});

test("a duplicate or invalid rule is refused without an approval request", async () => {
  const site = await makeSite();
  await exclude(site, "path", "/admin/**");
  for (const [kind, pattern] of [
    ["path", "/admin/**"],
    ["country", "Atlantis"],
  ]) {
    const refusal = await refused(summaryOf(site.ownerId, site.id, "sites.exclusions.add", { kind, pattern }));
    expect(refusal?.code, pattern).toBe("invalid_input");
  }
});
