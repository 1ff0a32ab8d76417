import { expect, test } from "vitest";
import { anonymise, coarsen, findLocation, readLocation } from "@/lib/ingest/enrich/geo";
import { db } from "@/lib/platform/db";
import { call } from "@/lib/testing/calls";
import { rowsOf } from "@/lib/testing/rows";
import { makeSite, send, type TestSite } from "@/lib/testing/world";

const LONDON = "81.2.69.142";
const HANOVER = "2a02:2e0:3fe:1001::1";

test("a location has the site's precision", () => {
  const locate = (address: string, precision: Parameters<typeof coarsen>[1]) =>
    coarsen(findLocation(address), precision);
  expect(locate(LONDON, "city")).toEqual({ country: "GB", region: "England", city: "London" });
  expect(locate(LONDON, "region")).toEqual({ country: "GB", region: "England", city: "" });
  expect(locate(LONDON, "country")).toEqual({ country: "GB", region: "", city: "" });
  expect(locate(LONDON, "none")).toEqual({ country: "", region: "", city: "" });
  expect(locate(HANOVER, "city")).toEqual({ country: "DE", region: "Lower Saxony", city: "Hanover" });
  expect(locate(`::ffff:${LONDON}`, "city").city).toBe("London");
  for (const unknown of ["127.0.0.1", "::1", "fe80::1%eth0", "nonsense", ""]) {
    expect(locate(unknown, "city").country, unknown).toBe("");
  }
});

test("records of both common layouts are read, and other records have no location", () => {
  const names = (en: string) => ({ names: { de: "anders", en } });
  const nested = { country: { iso_code: "FR" }, subdivisions: [names("Normandy")], city: names("Rouen") };
  expect(readLocation(nested)).toEqual({ country: "FR", region: "Normandy", city: "Rouen" });
  expect(readLocation({ country: "FR", region: "Normandy", city: "Rouen" })).toEqual(readLocation(nested));
  expect(readLocation({ country: { iso_code: "FR" } })).toEqual({ country: "FR", region: "", city: "" });
  for (const odd of [undefined, null, 7, "FR", [], { country: "France" }]) expect(readLocation(odd).country).toBe("");
});

test("an anonymised address keeps 24 bits of IPv4 and 48 of IPv6", () => {
  expect(anonymise("203.0.113.77")).toBe("203.0.113.0");
  expect(anonymise("2001:db8:1234:5678:9abc::1")).toBe("2001:db8:1234::");
  expect(anonymise("::ffff:203.0.113.77")).toBe("203.0.113.0");
});

const visitsOf = (site: TestSite) =>
  rowsOf<{ visitor_id: bigint; country: string; region: string; city: string }[]>`
    SELECT visitor_id, country, region, city FROM facts.visit v
    JOIN facts.place place ON place.site_id = v.site_id AND place.id = v.place
    WHERE v.site_id = ${site.id} ORDER BY started`;

test("the location of a visit is stored, and its address is not", async () => {
  const site = await makeSite();
  await send(site, "/", { address: LONDON });
  expect(await visitsOf(site)).toMatchObject([{ country: "GB", region: "England", city: "London" }]);
  await send(site, "/", { address: null });
  expect((await visitsOf(site)).at(-1)).toMatchObject({ country: "" });
});

test("a server's own address gives no location", async () => {
  const site = await makeSite();
  await send(site, { name: "Paid" }, { address: LONDON, userAgent: "node" });
  const { events } = await call(site.ownerId, "analytics.realtime", { site_id: site.id }, new Date());
  expect([await visitsOf(site), events[0].country]).toEqual([[], null]);
});

test("with anonymised addresses, two addresses of one network are one visitor with the network's location", async () => {
  const site = await makeSite();
  await db().site.update({ where: { id: site.id }, data: { anonymiseIp: true, geoPrecision: "country" } });
  await send(site, "/", { address: "81.2.69.142" });
  await send(site, "/", { address: "81.2.69.7" });
  await send(site, "/", { address: "2a02:2e0:3fe:1001::1" });
  await send(site, "/", { address: "2a02:2e0:3fe:2002::2" });
  const visits = await visitsOf(site);
  expect(visits.map(({ country, city }) => [country, city])).toEqual([
    ["GB", ""],
    ["DE", ""],
  ]);
});
