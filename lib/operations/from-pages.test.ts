import { expect, test } from "vitest";
import type { Role } from "@/lib/contract/vocabulary";
import { db } from "@/lib/platform/db";
import { assignDomain } from "@/lib/sites/owned-domains";
import { readKeyState } from "@/lib/sites/signing";
import { doAction, newOwner } from "@/lib/testing/owners";
import { makeSite } from "@/lib/testing/world";

/** Operations that managers and owners call from the settings pages of a site. */

const NOW = new Date("2025-03-12T15:30:00Z");

/** Creates a site with a second domain, and a person with the given role on it. */
async function stage(role: Role | null) {
  const [site, person] = [await makeSite(), await newOwner(NOW)];
  if (role) await db().membership.create({ data: { siteId: site.id, personId: person.personId, role } });
  const second = `second.${site.host}`;
  await assignDomain(db(), site.id, second, { isPrimary: false });
  const { id: domainId } = await db().siteDomain.findUniqueOrThrow({ where: { host: second } });
  const act = (operation: string, input: object, siteId = site.id) =>
    doAction(person, operation, { site_id: siteId, ...input }, NOW);
  return { site, domainId, second, act };
}
type Stage = Awaited<ReturnType<typeof stage>>;

const SETTINGS = { name: "Shop", timezone: "Asia/Tokyo", reporting_currency: "JPY", public: true };
const PROXIES = { trusted_proxy_ips: ["192.0.2.10"], require_signature: false };

const OPERATIONS: [id: string, least: Role, below: Role, input: (on: Stage) => object][] = [
  ["sites.settings.update", "manager", "viewer", () => SETTINGS],
  ["sites.domains.add", "manager", "viewer", ({ site }) => ({ domain: `third.${site.host}` })],
  ["sites.domains.primary", "manager", "viewer", ({ domainId }) => ({ domain_id: domainId })],
  ["sites.domains.delete", "manager", "viewer", ({ domainId }) => ({ domain_id: domainId })],
  ["sites.tracking_test.start", "manager", "viewer", () => ({})],
  ["sites.tracking_test.stop", "manager", "viewer", () => ({})],
  ["sites.proxy.update", "owner", "manager", () => PROXIES],
  ["sites.installation.tests.start", "manager", "viewer", () => ({})],
];

for (const [id, least, below, input] of OPERATIONS) {
  test(`${id} is allowed for the role ${least} and recorded in the audit log`, async () => {
    const on = await stage(least);
    expect((await on.act(id, input(on))).status).toBe(200);
    expect(await db().audit.count({ where: { siteId: on.site.id } })).toBe(1);
  });

  test(`${id} is refused to the role ${below}, and to a stranger as for a missing site`, async () => {
    const member = await stage(below);
    expect((await member.act(id, input(member))).body.error.code).toBe("role_denied");
    const stranger = await stage(null);
    const foreign = await stranger.act(id, input(stranger));
    expect([foreign.status, foreign.body.error.code]).toEqual([403, "site_not_granted"]);
    const missing = await stranger.act(id, input(stranger), 2_000_000_000);
    const unnamed = ({ message }: { message: string }) => message.replace(/\d+/, "N");
    expect(unnamed(missing.body.error)).toBe(unnamed(foreign.body.error));
    expect(await db().audit.count({ where: { siteId: { in: [member.site.id, stranger.site.id] } } })).toBe(0);
  });
}

test("settings are stored normalised, and each invalid one is refused by name", async () => {
  const { site, act } = await stage("manager");
  const answer = await act("sites.settings.update", { ...SETTINGS, timezone: "asia/tokyo", reporting_currency: "jpy" });
  expect(answer.body.data).toMatchObject(SETTINGS);
  const bad: [string, object][] = [
    ["name", { name: "x".repeat(256) }],
    ["timezone", { timezone: "Mars/Olympus" }],
    ["reporting_currency", { reporting_currency: "ABC" }],
    ["public", { public: "yes" }],
  ];
  for (const [path, wrong] of bad) {
    const { body } = await act("sites.settings.update", { ...SETTINGS, ...wrong, name: "Other", ...wrong });
    expect(body.error.details.issues.map((issue: { path: string }) => issue.path)).toEqual([path]);
  }
  expect((await db().site.findUniqueOrThrow({ where: { id: site.id } })).name).toBe("Shop");
});

test("another domain becomes the primary one, which then cannot be deleted", async () => {
  const { act, domainId, second } = await stage("manager");
  const { body } = await act("sites.domains.primary", { domain_id: domainId });
  expect(body.data.domain).toBe(second);
  const refused = await act("sites.domains.delete", { domain_id: domainId });
  expect(refused.body.error.details.issues[0]).toMatchObject({ path: "domain_id" });
});

test("a domain of another site is refused with the error at its field", async () => {
  const [{ act }, other] = [await stage("manager"), await makeSite()];
  const { body } = await act("sites.domains.add", { domain: other.host });
  expect([body.error.code, body.error.details.issues[0].path]).toEqual(["domain_taken", "domain"]);
});

test("a signing key is returned only once, and signatures can be required only with a key", async () => {
  const { site, act } = await stage("owner");
  const signed = { ...PROXIES, require_signature: true };
  expect((await act("sites.proxy.update", signed)).body.error.details.issues[0].path).toBe("require_signature");
  const updated = await act("sites.proxy.update", { ...signed, rotate_signing_key: true });
  expect(updated.body.data.signing_key).toMatch(/^ffs_/);
  expect((await act("sites.proxy.update", signed)).body.data.signing_key).toBeNull();
  expect((await readKeyState(db(), site.id)).signingKey).not.toBeNull();
});
