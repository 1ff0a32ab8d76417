import { expect, test } from "vitest";
import { db } from "@/lib/db";
import { sweepPageKeys } from "@/lib/ingest/claims";
import { makeSite, post } from "@/lib/testing/world";

const AT = "2025-03-10T10:00:00Z";
const status = async (site: { host: string }, event_id: string, at = AT) => {
  const answer = await post(site, { name: "pageview", url: `https://${site.host}/`, event_id }, { at });
  return (await answer.json()).status;
};
const keysOf = async (siteId: number) => {
  const [row] = await db().$queryRaw<{ page: number; event: number }[]>`
    SELECT (SELECT count(*)::int FROM facts.page_key WHERE site_id = ${siteId}) AS page,
           (SELECT count(*)::int FROM facts.event_key WHERE site_id = ${siteId}) AS event`;
  return row;
};

test("an id that the browser script made is remembered for three days, one that somebody chose for good", async () => {
  const site = await makeSite();
  const [made, chosen] = ["4294967295-7-1234567890", "order-4711-paid"];
  expect([await status(site, made), await status(site, made)]).toEqual(["stored", "duplicate"]);
  expect([await status(site, chosen), await status(site, chosen)]).toEqual(["stored", "duplicate"]);
  expect(await keysOf(site.id)).toEqual({ page: 1, event: 1 });
  await sweepPageKeys(new Date("2025-03-13T09:00:00Z"));
  expect(await status(site, made, "2025-03-13T09:00:00Z")).toBe("duplicate");
  await sweepPageKeys(new Date("2025-03-14T09:00:00Z"));
  expect(await keysOf(site.id)).toEqual({ page: 0, event: 1 });
  expect(await status(site, chosen, "2025-03-14T09:00:00Z")).toBe("duplicate");
});
