import { expect, test } from "vitest";
import { db } from "@/lib/db";
import { deleteSite } from "@/lib/sites/purge";
import { listRates } from "@/lib/sites/rates";
import { doAction, newOwner } from "@/lib/testing/owners";
import { makeSite } from "@/lib/testing/world";

const NOW = new Date("2025-03-12T15:30:00Z");

async function siteOf(role: "viewer" | "manager") {
  const [site, owner] = [await makeSite(), await newOwner(NOW)];
  await db().membership.create({ data: { siteId: site.id, personId: owner.personId, role, createdAt: NOW } });
  const set = (rate: object, deed = "rates.set") => doAction(owner, deed, { site_id: site.id, ...rate }, NOW);
  return { site, set };
}
const usd = { currency: "USD", day: "2025-03-01", per_euro: "1.25" };

test("a manager enters a rate, changes it and takes it back, and the audit tells", async () => {
  const { site, set } = await siteOf("manager");
  expect((await set({ ...usd, currency: "usd" })).status).toBe(200);
  expect((await set({ ...usd, per_euro: "1.3" })).status).toBe(200);
  expect((await set({ ...usd, currency: "JPY", day: "2025-02-01", per_euro: "161.00000001" })).status).toBe(200);
  expect(await listRates(site.id)).toEqual([
    { currency: "JPY", day: "2025-02-01", per_euro: "161.00000001" },
    { ...usd, per_euro: "1.3" },
  ]);
  const { per_euro: _, ...which } = usd;
  expect((await set(which, "rates.remove")).status).toBe(200);
  expect((await set(which, "rates.remove")).body.error.code).toBe("not_found");
  expect(await listRates(site.id)).toHaveLength(1);
  const told = await db().audit.findMany({ where: { siteId: site.id }, orderBy: { id: "asc" } });
  expect(told.map(({ operation }) => operation)).toEqual(["rates.set", "rates.set", "rates.set", "rates.remove"]);
});

test("a viewer enters none, and nobody enters one for another's site", async () => {
  const { site, set } = await siteOf("viewer");
  expect((await set(usd)).body.error.code).toBe("role_denied");
  const stranger = await newOwner(NOW);
  expect((await doAction(stranger, "rates.set", { site_id: site.id, ...usd }, NOW)).status).toBe(403);
  expect(await listRates(site.id)).toEqual([]);
});

test.each([
  ["currency", { ...usd, currency: "EUR" }],
  ["currency", { ...usd, currency: "ABC" }],
  ["day", { ...usd, day: "2025-02-30" }],
  ["day", { ...usd, day: "1998-12-31" }],
  ["per_euro", { ...usd, per_euro: "0.0" }],
  ["per_euro", { ...usd, per_euro: "-1" }],
  ["per_euro", { ...usd, per_euro: "1.123456789" }],
  ["per_euro", { ...usd, per_euro: 1.25 }],
])("a bad %s is refused by its name: %j", async (path, rate) => {
  const { set } = await siteOf("manager");
  const { issues } = (await set(rate)).body.error.details;
  expect(issues.map((issue: { path: string }) => issue.path)).toEqual([path]);
});

test("a deleted site leaves none of its rates behind", async () => {
  const { site, set } = await siteOf("manager");
  await set(usd);
  await deleteSite(db(), site.id, NOW);
  expect(await listRates(site.id)).toEqual([]);
});
