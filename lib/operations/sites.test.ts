import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { settingsIn } from "@/lib/contract/site-settings";
import { db } from "@/lib/platform/db";
import { call, faults, refused } from "@/lib/testing/calls";
import { makePerson, makeSite } from "@/lib/testing/world";

test("the creator of a site is its owner, sees it in the list and can read its settings", async () => {
  const personId = await makePerson();
  const host = `${randomUUID()}.example`;
  const created = await call(personId, "sites.create", {
    domain: `https://WWW.${host}/`,
    timezone: "europe/berlin",
    public: false,
  });
  const row = await db().site.findUniqueOrThrow({ where: { id: created.site_id } });
  expect(row).toMatchObject({ public: false, publicCredit: true, mergeSlashes: true });
  expect(created).toEqual({
    site_id: expect.any(Number),
    domain: host,
    name: null,
    timezone: "Europe/Berlin",
    ...settingsIn("dashboard", row),
    public_url: `http://localhost:3000/share/${host}`,
    reporting_currency: "EUR",
    domains: [{ domain_id: expect.any(Number), domain: host, primary: true, verified: false }],
    trusted_proxy_ips: [],
    require_signature: false,
    monitoring: false,
    page_query: [],
    ...settingsIn("general", row),
    tags: [],
    disabled: false,
    role: "owner",
    created_at: "2025-03-12T12:00:00.000Z",
  });
  expect(await call(personId, "sites.list", {})).toEqual({ sites: [created], page: 1, per_page: 50, total: 1 });
  expect(await call(personId, "sites.settings.get", { site_id: created.site_id })).toMatchObject(created);
});

test("a domain of another site is refused as domain_taken, and no site is created", async () => {
  const { host } = await makeSite();
  const personId = await makePerson();
  const error = await refused(call(personId, "sites.create", { domain: `www.${host}`, timezone: "UTC", public: true }));
  expect(error).toMatchObject({ code: "domain_taken", details: { issues: [{ path: "domain" }] } });
  expect(await call(personId, "sites.list", {})).toMatchObject({ total: 0 });
});

test("of twelve concurrent creations with one domain, one succeeds", async () => {
  const host = `${randomUUID()}.example`;
  const people = await Promise.all(Array.from({ length: 12 }, makePerson));
  const tries = await Promise.all(
    people.map((id) => refused(call(id, "sites.create", { domain: host, timezone: "UTC", public: false }))),
  );
  expect(tries.filter((error) => error === null)).toHaveLength(1);
  expect(new Set(tries.filter(Boolean).map((error) => error?.code))).toEqual(new Set(["domain_taken"]));
});

test("invalid input is refused field by field", async () => {
  const personId = await makePerson();
  const error = await refused(
    call(personId, "sites.create", { domain: "", timezone: "Mars/Phobos", public: "yes", colour: 1 }),
  );
  expect(error?.details?.issues).toEqual([
    { path: "domain", message: "must be a domain such as example.com" },
    { path: "timezone", message: "must be an IANA timezone such as Europe/Berlin or UTC" },
    { path: "public", message: "must be true or false" },
    { path: "colour", message: "is not a known field; leave it out" },
  ]);
});

test("site_id must be a positive 32-bit integer", async () => {
  const personId = await makePerson();
  for (const site_id of ["1", 1.5, 0, -1, 2 ** 53, null, undefined, 2 ** 31]) {
    const error = await refused(call(personId, "sites.settings.get", { site_id }));
    expect(["invalid_input", "site_not_granted"], `${site_id}`).toContain(error?.code);
  }
});

test("a viewer cannot read settings, and a stranger cannot see the site", async () => {
  const site = await makeSite();
  const viewer = await makePerson();
  await db().membership.create({ data: { siteId: site.id, personId: viewer, role: "viewer" } });
  expect((await refused(call(viewer, "sites.settings.get", { site_id: site.id })))?.code).toBe("role_denied");
  expect((await refused(call(await makePerson(), "sites.settings.get", { site_id: site.id })))?.code).toBe(
    "site_not_granted",
  );
  await db().membership.deleteMany({ where: { personId: viewer } });
  expect((await refused(call(viewer, "sites.settings.get", { site_id: site.id })))?.code).toBe("site_not_granted");
});

test("sites.list returns every site once, in a stable order", async () => {
  const personId = await makePerson();
  for (let i = 0; i < 5; i++)
    await call(personId, "sites.create", { domain: `${randomUUID()}.example`, timezone: "UTC", public: false });
  const pages = await Promise.all([1, 2, 3, 4].map((page) => call(personId, "sites.list", { page, per_page: 2 })));
  expect(pages.map((page) => page.sites.length)).toEqual([2, 2, 1, 0]);
  const ids = pages.flatMap((page) => page.sites.map((site: { site_id: number }) => site.site_id));
  expect([...ids].sort((a, b) => a - b)).toEqual(ids);
});

test("a new site whose domain, name and timezone are wrong is refused with all three", async () => {
  const id = await makePerson();
  const wrong = (domain: string) =>
    faults(call(id, "sites.create", { domain, name: "x".repeat(256), timezone: "Nowhere", public: false }));
  const others = [
    "name: must have at most 255 characters",
    "timezone: must be an IANA timezone such as Europe/Berlin or UTC",
  ];
  expect(await wrong("not a domain")).toEqual([
    "domain: must be the domain of a site, but is not a domain such as example.com",
    ...others,
  ]);
  expect(await wrong("192.0.2.1")).toEqual([
    "domain: must be the domain of a site, but is an IP address; enter a domain name",
    ...others,
  ]);
  expect(await wrong("")).toEqual(["domain: must be a domain such as example.com", ...others]);
});
