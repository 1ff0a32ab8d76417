import { expect, test } from "vitest";
import { deleteExpiredPageKeys } from "@/lib/ingest/store/event-id-reservations";
import { db } from "@/lib/platform/db";
import { someoneWaitsFor } from "@/lib/testing/locks";
import { keyOf, postEvents } from "@/lib/testing/measuring";
import { makeSite, post } from "@/lib/testing/world";

const AT = "2025-03-10T10:00:00Z";
const MADE = "65535__7__0__12345";
const status = async (site: { host: string }, event_id: string, at = AT, origin = true) => {
  const headers: Record<string, string> = origin ? { origin: `https://${site.host}` } : {};
  const answer = await post(site, { name: "pageview", url: `https://${site.host}/`, event_id }, { at, headers });
  return (await answer.json()).status;
};
const keysOf = async (siteId: number) => {
  const [row] = await db().$queryRaw<{ page: number; event: number }[]>`
    SELECT (SELECT count(*)::int FROM facts.page_key WHERE site_id = ${siteId}) AS page,
           (SELECT count(*)::int FROM facts.event_key WHERE site_id = ${siteId}) AS event`;
  return row;
};

test("an id that the browser script made is remembered for eight days, one that somebody chose for good", async () => {
  const site = await makeSite();
  const chosen = "028-1234567-7654321";
  expect([await status(site, MADE), await status(site, MADE)]).toEqual(["stored", "duplicate"]);
  expect([await status(site, chosen), await status(site, chosen)]).toEqual(["stored", "duplicate"]);
  expect(await keysOf(site.id)).toEqual({ page: 1, event: 1 });
  await deleteExpiredPageKeys(new Date("2025-03-18T09:00:00Z"));
  expect(await status(site, MADE, "2025-03-18T09:00:00Z")).toBe("duplicate");
  await deleteExpiredPageKeys(new Date("2025-03-19T09:00:00Z"));
  expect(await keysOf(site.id)).toEqual({ page: 0, event: 1 });
  expect(await status(site, chosen, "2025-03-19T09:00:00Z")).toBe("duplicate");
});

test("an id of the browser script's form counts as chosen when a server sends it, with a key or without", async () => {
  const site = await makeSite();
  const { key } = await keyOf(site);
  expect(await status(site, MADE, AT, false)).toBe("stored");
  await postEvents([{ type: "event", name: "a", event_id: `1${MADE.slice(1)}` }], { key, at: AT });
  expect(await keysOf(site.id)).toEqual({ page: 0, event: 2 });
});

test("the ids of pages are swept part by part: what is done stays done while another part waits", async () => {
  const site = await makeSite();
  await db().$executeRaw`
    INSERT INTO facts.page_key (site_id, key, day)
    SELECT ${site.id}, gen_random_uuid(), '2019-01-01' FROM generate_series(1, 2000)`;
  let sweeping = Promise.resolve();
  await db().$transaction(async (tx) => {
    await tx.$queryRaw`
      SELECT 1 FROM facts.page_key WHERE site_id = ${site.id} ORDER BY ctid DESC LIMIT 1 FOR UPDATE`;
    sweeping = deleteExpiredPageKeys(new Date("2019-02-01T00:00:00Z"), 1);
    await someoneWaitsFor(tx);
    expect((await keysOf(site.id))?.page).toBeLessThan(500);
  });
  await sweeping;
  expect(await keysOf(site.id)).toEqual({ page: 0, event: 0 });
});
