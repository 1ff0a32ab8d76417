import { expect, test } from "vitest";
import { db } from "@/lib/platform/db";
import { call, faults, makeMember, refused, revisionOf, summaryOf } from "@/lib/testing/calls";
import { makePerson, makeSite } from "@/lib/testing/world";

const SETTINGS = { name: "Shop", timezone: "Asia/Tokyo", reporting_currency: "JPY", public: true };
const update = (personId: number, siteId: number, changed: object = {}) =>
  call(personId, "sites.settings.update", { site_id: siteId, ...SETTINGS, ...changed });

test("all settings change at once, and the answer equals a later read", async () => {
  const site = await makeSite();
  const changed = await update(site.ownerId, site.id, { timezone: "europe/berlin", reporting_currency: "usd" });
  expect(changed).toMatchObject({
    site_id: site.id,
    name: "Shop",
    timezone: "Europe/Berlin",
    reporting_currency: "USD",
    public: true,
    role: "owner",
  });
  expect(await call(site.ownerId, "sites.settings.get", { site_id: site.id })).toMatchObject(changed);
});

test("an empty name is stored as null", async () => {
  const site = await makeSite();
  expect(await update(site.ownerId, site.id, { name: "  " })).toMatchObject({ name: null });
});

test("a manager can change settings, a viewer and a stranger cannot", async () => {
  const site = await makeSite();
  expect(await update(await makeMember(site.id, "manager"), site.id)).toMatchObject({ name: "Shop", role: "manager" });
  expect((await refused(update(await makeMember(site.id, "viewer"), site.id)))?.code).toBe("role_denied");
  expect((await refused(update(await makePerson(), site.id)))?.code).toBe("site_not_granted");
});

test("every change increments the revision of the site, a refused one does not", async () => {
  const site = await makeSite();
  const before = await revisionOf(site.id);
  await update(site.ownerId, site.id);
  expect(await revisionOf(site.id)).toBe(before + 1);
  await refused(update(site.ownerId, site.id, { timezone: "Mars/Phobos" }));
  expect(await revisionOf(site.id)).toBe(before + 1);
});

test("twelve concurrent changes increment the revision by twelve", async () => {
  const site = await makeSite();
  const before = await revisionOf(site.id);
  await Promise.all(Array.from({ length: 12 }, (_, index) => update(site.ownerId, site.id, { name: `${index}` })));
  expect(await revisionOf(site.id)).toBe(before + 12);
});

test("case 67: Mars/Phobos and FOO+99 are refused, UTC is accepted, europe/berlin is normalised", async () => {
  const site = await makeSite();
  for (const timezone of ["Mars/Phobos", "FOO+99", "+02:00", ""]) {
    const refusal = await faults(update(site.ownerId, site.id, { timezone }));
    expect(refusal, timezone).toEqual(["timezone: must be an IANA timezone such as Europe/Berlin or UTC"]);
  }
  expect(await update(site.ownerId, site.id, { timezone: "UTC" })).toMatchObject({ timezone: "UTC" });
  expect(await update(site.ownerId, site.id, { timezone: "europe/berlin" })).toMatchObject({
    timezone: "Europe/Berlin",
  });
});

test("a timezone is changed at most five times a day, because each change prepares all reports again", async () => {
  const site = await makeSite();
  for (const timezone of ["Asia/Tokyo", "UTC", "Asia/Tokyo", "UTC", "Asia/Tokyo"])
    await update(site.ownerId, site.id, { timezone });
  const refusal = await refused(update(site.ownerId, site.id, { timezone: "UTC" }));
  expect([refusal?.code, (refusal?.retryAfter ?? 0) > 0]).toEqual(["rate_limited", true]);
  expect(await update(site.ownerId, site.id, { name: "Others" })).toMatchObject({ name: "Others" });
  const other = await makeSite();
  expect(await update(other.ownerId, other.id)).toMatchObject({ timezone: "Asia/Tokyo" });
});

test("case 66: extra properties and every malformed site_id are refused by name", async () => {
  const site = await makeSite();
  expect(await faults(update(site.ownerId, site.id, { colour: "red" }))).toEqual([
    "colour: is not a known field; leave it out",
  ]);
  const withId = (site_id: unknown) => faults(call(site.ownerId, "sites.settings.update", { ...SETTINGS, site_id }));
  for (const site_id of ["1", 1.5, 0, -1, null]) {
    expect(await withId(site_id), `${site_id}`).toEqual(["site_id: must be a whole number, 1 or more"]);
  }
  expect(await withId(2 ** 53)).toEqual(["site_id: is a number too large to store exactly; send it as text"]);
});

test("every setting is required and checked against its bounds", async () => {
  const site = await makeSite();
  const missing = await faults(call(site.ownerId, "sites.settings.update", { site_id: site.id }));
  expect(missing.map((fault) => fault.split(":")[0])).toEqual(["name", "timezone", "reporting_currency", "public"]);
  expect(await faults(update(site.ownerId, site.id, { name: "x".repeat(256) }))).toEqual([
    "name: must have at most 255 characters",
  ]);
  expect(await faults(update(site.ownerId, site.id, { reporting_currency: "EURO" }))).toEqual([
    "reporting_currency: must be a currency code of 3 letters such as EUR",
  ]);
  expect(await faults(update(site.ownerId, site.id, { reporting_currency: "XYZ" }))).toEqual([
    "reporting_currency: must be a currency code of ISO 4217 such as EUR, USD or JPY",
  ]);
  expect(await faults(update(site.ownerId, site.id, { public: "yes" }))).toEqual([expect.stringMatching(/^public: /)]);
});

test("case 69: foreign, missing and deleted sites and a former membership get the same error", async () => {
  const [mine, foreign, deleted] = [await makeSite(), await makeSite(), await makeSite()];
  await call(deleted.ownerId, "sites.delete", { site_id: deleted.id });
  const former = await makeMember(mine.id, "owner");
  await db().membership.deleteMany({ where: { siteId: mine.id, personId: former } });
  const calls: [number, number][] = [
    [mine.ownerId, foreign.id],
    [mine.ownerId, 2 ** 31 - 1],
    [mine.ownerId, 2 ** 31],
    [deleted.ownerId, deleted.id],
    [former, mine.id],
  ];
  for (const [personId, siteId] of calls) {
    const refusal = await refused(update(personId, siteId));
    expect([refusal?.code, refusal?.message.replace(`${siteId}`, "N")], `${siteId}`).toEqual([
      "site_not_granted",
      "You have no access to site N. sites.list returns the sites you can access; a human can grant another one by a new consent.",
    ]);
  }
});

test("the summary shows each setting before and after", async () => {
  const site = await makeSite();
  expect(await summaryOf(site.ownerId, site.id, "sites.settings.update", SETTINGS)).toEqual([
    { label: "Name", before: null, after: "Shop" },
    { label: "Timezone", before: "UTC", after: "Asia/Tokyo" },
    { label: "Reporting currency", before: "EUR", after: "JPY" },
    { label: "Public dashboard", before: "Members only", after: "Anyone" },
  ]);
});
