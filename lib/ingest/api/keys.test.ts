import { expect, test } from "vitest";
import { flushIngestStats } from "@/lib/ingest/store/ingest-stats";
import { db } from "@/lib/platform/db";
import { listKeys } from "@/lib/sites/ingest-keys";
import { call, makeMember } from "@/lib/testing/calls";
import { postEvents, siteWithKey } from "@/lib/testing/measuring";
import { PATIENT_MS } from "@/lib/testing/patience";
import { rowsOf } from "@/lib/testing/rows";
import { makeSite, type TestSite } from "@/lib/testing/world";

const NOW = new Date("2025-03-04T12:00:00Z");
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const createKey = (site: TestSite, days: number | null = null) =>
  call(site.ownerId, "sites.keys.create", { site_id: site.id, name: "Shop", expires_in_days: days }, NOW);
const rotateKey = (site: TestSite, key_id: number, overlap_hours: number, now = NOW) =>
  call(site.ownerId, "sites.keys.rotate", { site_id: site.id, key_id, overlap_hours }, now);
const revokeKey = (site: TestSite, key_id: number) =>
  call(site.ownerId, "sites.keys.revoke", { site_id: site.id, key_id }, NOW);
const statusOf = async (key: string, at: Date) =>
  (await postEvents([{ type: "event", name: "a" }], { key, at })).status;

test("case 2: a key expires on time", async () => {
  const site = await makeSite();
  const { key } = await createKey(site, 1);
  expect(await statusOf(key, later(86_399))).toBe(200);
  expect(await statusOf(key, later(86_400))).toBe(401);
});

test("case 2: a revoked key is refused five seconds later, even if it was cached", async () => {
  const site = await makeSite();
  const { key, key_id } = await createKey(site);
  expect(await statusOf(key, NOW)).toBe(200);
  await revokeKey(site, key_id);
  expect(await statusOf(key, later(5))).toBe(401);
});

test("a key that was cached as invalid works five seconds after it becomes valid", async () => {
  const site = await makeSite();
  const { key, key_id } = await createKey(site);
  await db().ingestKey.update({ where: { id: key_id }, data: { revokedAt: NOW } });
  expect(await statusOf(key, NOW)).toBe(401);
  await db().ingestKey.update({ where: { id: key_id }, data: { revokedAt: null } });
  expect(await statusOf(key, later(5))).toBe(200);
});

test("case 2: after a rotation the old key works until its overlap ends, and the new one immediately", async () => {
  const site = await makeSite();
  const old = await createKey(site, 30);
  const fresh = await rotateKey(site, old.key_id, 1, later(60));
  expect(await statusOf(fresh.key, later(61))).toBe(200);
  expect(await statusOf(old.key, later(61))).toBe(200);
  expect(await statusOf(old.key, later(3659))).toBe(200);
  expect(await statusOf(old.key, later(3660))).toBe(401);
  expect(await statusOf(fresh.key, later(3660))).toBe(200);
  const [listed] = await listKeys(site.id);
  expect(listed).toMatchObject({ name: "Shop", hint: fresh.key.slice(-4), expiresAt: later(60 + 30 * 86_400) });
});

test("a rotation never extends the old key, and an expired key cannot be rotated", async () => {
  const site = await makeSite();
  const { key_id } = await createKey(site, 1);
  await rotateKey(site, key_id, 24, later(86_000));
  const row = await db().ingestKey.findUniqueOrThrow({ where: { id: key_id } });
  expect(row.expiresAt).toEqual(later(86_400));
  await expect(rotateKey(site, key_id, 0, later(86_400))).rejects.toMatchObject({ code: "not_found" });
});

test("a rotated key cannot be rotated again during its overlap", async () => {
  const site = await makeSite();
  const old = await createKey(site);
  const fresh = await rotateKey(site, old.key_id, 168, later(60));
  await expect(rotateKey(site, old.key_id, 24, later(3600))).rejects.toMatchObject({
    code: "invalid_input",
    details: { issues: [{ path: "key_id" }] },
  });
  const next = await rotateKey(site, fresh.key_id, 24, later(3600));
  expect((await listKeys(site.id)).find(({ id }) => id === next.key_id)?.expiresAt).toBeNull();
});

test("a key is stored only as its digest", async () => {
  const { site, key } = await siteWithKey();
  const rows = await db().$queryRaw<
    { row: string }[]
  >`SELECT k::text AS row FROM ingest_key k WHERE site_id = ${site.id}`;
  expect(rows).toHaveLength(1);
  for (const { row } of rows) expect(row).not.toContain(key.slice(4, 40));
});

test("the last use is stored at most once a minute", async (context) => {
  const site = await makeSite();
  const { key, key_id } = await createKey(site);
  const used = async () => (await db().ingestKey.findUniqueOrThrow({ where: { id: key_id } })).lastUsedAt;
  await statusOf(key, NOW);
  await context.expect.poll(used, { timeout: PATIENT_MS }).toEqual(NOW);
  await statusOf(key, later(59));
  await statusOf(key, later(60));
  await context.expect.poll(used, { timeout: PATIENT_MS }).toEqual(later(60));
});

test("viewers and non-members cannot list, create, rotate or revoke keys, and keys of another site are not found", async () => {
  const [site, other] = [await makeSite(), await makeSite()];
  const viewer = await makeMember(site.id, "viewer");
  const { key_id } = await createKey(site);
  const operations = { list: {}, create: { name: "Mine" }, rotate: { key_id, overlap_hours: 0 }, revoke: { key_id } };
  for (const [operation, input] of Object.entries(operations)) {
    for (const [personId, code] of [
      [viewer, "role_denied"],
      [other.ownerId, "site_not_granted"],
    ] as const) {
      const result = call(personId, `sites.keys.${operation}`, { site_id: site.id, ...input }, NOW);
      await expect(result, operation).rejects.toMatchObject({ code });
    }
  }
  await expect(revokeKey(other, key_id)).rejects.toMatchObject({ code: "not_found" });
  await expect(rotateKey(other, key_id, 0)).rejects.toMatchObject({ code: "not_found" });
});

test("the audit log has the ids of created, rotated and revoked keys, and never a key", async () => {
  const site = await makeSite();
  const made = await createKey(site, 30);
  const fresh = await rotateKey(site, made.key_id, 1);
  await revokeKey(site, made.key_id);
  const rows = await db().audit.findMany({ where: { siteId: site.id }, orderBy: { id: "asc" } });
  const about = { site_id: site.id, site_domain: site.host };
  expect(rows.map(({ operation, personId, detail }) => ({ operation, personId, detail }))).toEqual(
    [
      { operation: "sites.keys.create", detail: { name: "Shop", expires_in_days: 30, key_id: made.key_id } },
      {
        operation: "sites.keys.rotate",
        detail: { key_id: made.key_id, overlap_hours: 1, new_key_id: fresh.key_id },
      },
      { operation: "sites.keys.revoke", detail: { key_id: made.key_id } },
    ].map(({ operation, detail }) => ({ operation, personId: site.ownerId, detail: { ...about, ...detail } })),
  );
});

test("a site has at most twenty live keys, also with concurrent creation", async () => {
  const site = await makeSite();
  const made = await Promise.allSettled(Array.from({ length: 22 }, () => createKey(site)));
  expect(made.filter(({ status }) => status === "fulfilled").length).toBeLessThanOrEqual(20);
  expect((await listKeys(site.id)).length).toBeLessThanOrEqual(20);
});

test("at the limit a key can still be rotated, up to the limit of keys in overlap", async () => {
  const site = await makeSite();
  const keys: number[] = [];
  for (let i = 0; i < 20; i++) keys.push((await createKey(site)).key_id);
  const make = () => createKey(site);
  await expect(make()).rejects.toMatchObject({ code: "invalid_input" });
  const fresh = await rotateKey(site, keys[0] as number, 168);
  expect(await statusOf(fresh.key, NOW)).toBe(200);
  // Still one key: the rotation frees no slot.
  await expect(make()).rejects.toMatchObject({ code: "invalid_input" });
  await revokeKey(site, keys[1] as number);
  await make();
  let newest = fresh.key_id;
  for (let live = 21; live < 40; live++) newest = (await rotateKey(site, newest, 168)).key_id;
  await expect(rotateKey(site, newest, 168)).rejects.toMatchObject({
    code: "invalid_input",
    details: { issues: [{ path: "key_id", message: expect.stringContaining("exceeds the limit of") }] },
  });
  expect((await rotateKey(site, newest, 168, later(168 * 3600))).key).toMatch(/^ffk_/);
});

test("requests with a revoked key are counted for its site, and those with an invented key are not", async () => {
  const site = await makeSite();
  const { key, key_id } = await createKey(site);
  await revokeKey(site, key_id);
  for (let i = 0; i < 3; i++) await statusOf(key, NOW);
  await statusOf(`ffk_${"x".repeat(43)}`, NOW);
  await flushIngestStats();
  expect(await rowsOf`SELECT outcome, reason, events::int FROM facts.intake WHERE site_id = ${site.id}`).toEqual([
    { outcome: "refused", reason: "invalid_token", events: 3 },
  ]);
});
