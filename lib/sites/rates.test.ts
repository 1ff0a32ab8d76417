import { expect, test } from "vitest";
import { db } from "@/lib/platform/db";
import { deleteSite } from "@/lib/sites/purge";
import { listRates } from "@/lib/sites/rates";
import { revisionOf } from "@/lib/testing/calls";
import { doAction, newOwner } from "@/lib/testing/owners";
import { callApi, makeClient, makeSite } from "@/lib/testing/world";

const NOW = new Date("2025-03-12T15:30:00Z");

async function siteOf(role: "viewer" | "manager") {
  const [site, owner] = [await makeSite(), await newOwner(NOW)];
  await db().membership.create({ data: { siteId: site.id, personId: owner.personId, role, createdAt: NOW } });
  const set = (rate: object, id = "sites.rates.set") => doAction(owner, id, { site_id: site.id, ...rate }, NOW);
  return { site, set };
}
const usd = { currency: "USD", day: "2025-03-01", per_euro: "1.25" };

test("a manager sets, changes and deletes a rate, with audit entries", async () => {
  const { site, set } = await siteOf("manager");
  expect((await set({ ...usd, currency: "usd" })).status).toBe(200);
  expect((await set({ ...usd, per_euro: "1.3" })).status).toBe(200);
  expect((await set({ ...usd, currency: "JPY", day: "2025-02-01", per_euro: "161.00000001" })).status).toBe(200);
  expect(await listRates(site.id)).toEqual([
    { currency: "JPY", day: "2025-02-01", per_euro: "161.00000001" },
    { ...usd, per_euro: "1.3" },
  ]);
  const { per_euro: _, ...which } = usd;
  expect((await set(which, "sites.rates.delete")).status).toBe(200);
  expect((await set(which, "sites.rates.delete")).body.error.code).toBe("not_found");
  expect(await listRates(site.id)).toHaveLength(1);
  const entries = await db().audit.findMany({ where: { siteId: site.id }, orderBy: { id: "asc" } });
  expect(entries.map(({ operation }) => operation)).toEqual([
    "sites.rates.set",
    "sites.rates.set",
    "sites.rates.set",
    "sites.rates.delete",
  ]);
});

test("viewers and non-members cannot set rates", async () => {
  const { site, set } = await siteOf("viewer");
  expect((await set(usd)).body.error.code).toBe("role_denied");
  const stranger = await newOwner(NOW);
  expect((await doAction(stranger, "sites.rates.set", { site_id: site.id, ...usd }, NOW)).status).toBe(403);
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
])("an invalid %s is reported at its field: %j", async (path, rate) => {
  const { set } = await siteOf("manager");
  const { issues } = (await set(rate)).body.error.details;
  expect(issues.map((issue: { path: string }) => issue.path)).toEqual([path]);
});

test("deleting a site deletes its rates", async () => {
  const { site, set } = await siteOf("manager");
  await set(usd);
  await deleteSite(db(), site.id, NOW);
  expect(await listRates(site.id)).toEqual([]);
});

test("an agent sets, lists and deletes rates without an approval", async () => {
  const site = await makeSite();
  const scopes = ["sites:read", "sites:write"] as const;
  const { token } = await makeClient({ scopes, sites: [site], personId: site.ownerId, now: NOW });
  const callAs = async (operation: string, input: object) =>
    (await callApi(operation, { token, input: { site_id: site.id, ...input }, now: NOW })).body.data;
  const jpy = { currency: "JPY", day: "2025-02-01", per_euro: "161" };
  expect(await callAs("sites.rates.set", usd)).toEqual({ ...usd, replaced: null });
  expect(await callAs("sites.rates.set", { ...usd, per_euro: "1.2" })).toMatchObject({ replaced: usd });
  expect(await callAs("sites.rates.set", usd)).toMatchObject({ replaced: { per_euro: "1.2" } });
  expect(await callAs("sites.rates.set", jpy)).toEqual({ ...jpy, replaced: null });
  expect(await callAs("sites.rates.list", {})).toEqual({ rates: [jpy, usd] });
  expect(await callAs("sites.rates.list", { currency: "usd" })).toEqual({ rates: [usd] });
  expect(await callAs("sites.rates.delete", { currency: "USD", day: usd.day })).toEqual(usd);
  expect(await callAs("sites.rates.list", {})).toEqual({ rates: [jpy] });
  expect(await revisionOf(site.id)).toBe(6);
});
