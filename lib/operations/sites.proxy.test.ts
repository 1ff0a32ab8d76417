import { expect, test } from "vitest";
import { previousKeyPlace, signingKeyPlace } from "@/lib/ingest/site/forwarded-address";
import { db } from "@/lib/platform/db";
import { unseal } from "@/lib/platform/secrets";
import { call, faults, makeMember, refused, revisionOf, summaryOf } from "@/lib/testing/calls";
import { makeSite, type TestSite } from "@/lib/testing/world";

const NOON = new Date("2025-03-12T12:00:00Z");
const update = (site: TestSite, changed: object = {}, now = NOON, personId = site.ownerId) =>
  call(
    personId,
    "sites.proxy.update",
    { site_id: site.id, trusted_proxy_ips: [], require_signature: false, ...changed },
    now,
  );
const keysOf = async (siteId: number) => {
  const { signingKey, previousKey } = await db().site.findUniqueOrThrow({ where: { id: siteId } });
  return {
    signing: signingKey && unseal(signingKey, signingKeyPlace(siteId)).toString(),
    previous: previousKey && unseal(previousKey, previousKeyPlace(siteId)).toString(),
  };
};

test("proxies are stored normalised and in the given order", async () => {
  const site = await makeSite();
  const typed = [
    "192.0.2.7",
    "10.1.2.3/8",
    "2001:DB8:0:0::1",
    "2001:db8::1/32",
    "::ffff:198.51.100.4",
    "203.0.113.9/32",
  ];
  const { site: after, signing_key, previous_key_valid_until } = await update(site, { trusted_proxy_ips: typed });
  expect(after.trusted_proxy_ips).toEqual([
    "192.0.2.7",
    "10.0.0.0/8",
    "2001:db8::1",
    "2001:db8::/32",
    "198.51.100.4",
    "203.0.113.9",
  ]);
  expect([signing_key, previous_key_valid_until]).toEqual([null, null]);
  expect(await revisionOf(site.id)).toBe(2);
  expect((await update(site)).site.trusted_proxy_ips).toEqual([]);
});

test.each([
  ["0.0.0.0/0", "is wider than /8; use narrower ranges"],
  ["10.0.0.0/7", "is wider than /8; use narrower ranges"],
  ["::/0", "contains every IPv4 address; use narrower ranges"],
  ["::/16", "contains every IPv4 address; use narrower ranges"],
  ["::ffff:0:0/95", "contains every IPv4 address; use narrower ranges"],
  ["::ffff:0:0/96", "is wider than /8; use narrower ranges"],
  ["2000::/3", "is wider than /16; use narrower ranges"],
  ...[
    ...["garbage", "", " 10.0.0.1", "10.0.0.1 ", "10.0.0", "127.1", "0x7f.1", "010.0.0.1", "2130706433"],
    ...["256.1.1.1", "10.0.0.0/33", "10.0.0.0/08", "10.0.0.0/", "10.0.0.0/8/8", "10.0.0.0/-1", "2001:db8::/129"],
    ...["fe80::1%eth0", "[::1]", "10.0.0.1:80", "example.com", "１０.0.0.1"],
  ].map((typed) => [typed, "is not an IP address or a CIDR range such as 192.0.2.0/24 or 2001:db8::/32"]),
])("case 77: %j is refused as a proxy: it %s", async (typed, why) => {
  const site = await makeSite();
  expect(await faults(update(site, { trusted_proxy_ips: ["192.0.2.1", typed] }))).toEqual([
    `trusted_proxy_ips.1: ${why}`,
  ]);
});

test("case 77: 101 entries, 65 characters and duplicates in any spelling are refused", async () => {
  const site = await makeSite();
  const many = Array.from({ length: 101 }, (_, index) => `192.0.2.${index}`);
  expect(await faults(update(site, { trusted_proxy_ips: many }))).toEqual([
    "trusted_proxy_ips: must have at most 100 entries",
  ]);
  expect((await update(site, { trusted_proxy_ips: many.slice(1) })).site.trusted_proxy_ips).toHaveLength(100);
  expect(await faults(update(site, { trusted_proxy_ips: ["1".repeat(65)] }))).toEqual([
    "trusted_proxy_ips.0: must have at most 64 characters",
  ]);
  const twice = ["2001:db8::1", "2001:0DB8::0001", "10.0.0.0/8", "10.9.9.9/8"];
  expect(await faults(update(site, { trusted_proxy_ips: twice }))).toEqual([
    "trusted_proxy_ips.1: repeats 2001:db8::1; list each once",
    "trusted_proxy_ips.3: repeats 10.0.0.0/8; list each once",
  ]);
});

test("a rotation returns the new key once, and the previous key stays valid for 24 hours", async () => {
  const site = await makeSite();
  const first = await update(site, { rotate_signing_key: true });
  expect(first.signing_key).toMatch(/^ffs_[A-Za-z0-9_-]{43}$/);
  expect(first.previous_key_valid_until).toBeNull();
  expect(await keysOf(site.id)).toEqual({ signing: first.signing_key, previous: null });

  const second = await update(site, { rotate_signing_key: true });
  expect(second.signing_key).not.toBe(first.signing_key);
  expect(second.previous_key_valid_until).toBe("2025-03-13T12:00:00.000Z");
  expect(await keysOf(site.id)).toEqual({ signing: second.signing_key, previous: first.signing_key });

  const later = (hours: number) => new Date(NOON.getTime() + hours * 3600_000);
  expect(await update(site, {}, later(23))).toMatchObject({
    signing_key: null,
    previous_key_valid_until: "2025-03-13T12:00:00.000Z",
  });
  expect(await update(site, {}, later(24))).toMatchObject({ previous_key_valid_until: null });
});

test("a signing key is stored encrypted and is in no other answer", async () => {
  const site = await makeSite();
  const { signing_key } = await update(site, { rotate_signing_key: true });
  const row = await db().site.findUniqueOrThrow({ where: { id: site.id } });
  expect(Buffer.from(row.signingKey ?? []).includes(signing_key)).toBe(false);
  const settings = await call(site.ownerId, "sites.settings.get", { site_id: site.id });
  expect(JSON.stringify(settings)).not.toContain("ffs_");
  const audits = await db().audit.findMany({ where: { siteId: site.id }, orderBy: { id: "asc" } });
  expect(JSON.stringify(audits.map(({ detail }) => detail))).not.toContain(signing_key);
});

test("signatures can be required only with a key, and the error says how to create one", async () => {
  const site = await makeSite();
  expect(await faults(update(site, { require_signature: true, rotate_signing_key: false }))).toEqual([
    "require_signature: needs a signing key and the site has none; send rotate_signing_key: true too",
  ]);
  const updated = await update(site, { require_signature: true, rotate_signing_key: true });
  expect(updated.site.require_signature).toBe(true);
  expect((await update(site, { require_signature: true, rotate_signing_key: null })).site.require_signature).toBe(true);
});

test("two concurrent rotations keep both keys, as the new and the previous one", async () => {
  const site = await makeSite();
  const updated = await Promise.all([1, 2].map(() => update(site, { rotate_signing_key: true })));
  const { signing, previous } = await keysOf(site.id);
  expect(new Set([signing, previous])).toEqual(new Set(updated.map(({ signing_key }) => signing_key)));
});

test("only an owner can set trusted proxies", async () => {
  const site = await makeSite();
  const manager = await makeMember(site.id, "manager");
  expect((await refused(update(site, {}, NOON, manager)))?.code).toBe("role_denied");
});

test("the summary shows proxies before and after and the change of the key", async () => {
  const site = await makeSite();
  const input = { trusted_proxy_ips: ["10.1.2.3/8"], require_signature: true, rotate_signing_key: true };
  expect(await summaryOf(site.ownerId, site.id, "sites.proxy.update", input)).toEqual([
    { label: "Trusted proxies", before: "None", after: "10.0.0.0/8" },
    { label: "Require signatures", before: "No", after: "Yes" },
    { label: "Signing key", before: "None", after: "New key" },
  ]);
  const impossible = { ...input, rotate_signing_key: null };
  expect((await refused(summaryOf(site.ownerId, site.id, "sites.proxy.update", impossible)))?.code).toBe(
    "invalid_input",
  );
  await update(site, input);
  expect((await summaryOf(site.ownerId, site.id, "sites.proxy.update", input))?.[2]).toEqual({
    label: "Signing key",
    before: "Set",
    after: "New key; the old one works for 24 more hours",
  });
});
