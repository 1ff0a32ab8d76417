import { expect, test } from "vitest";
import { listSubscriptions } from "@/lib/sites/reports/subscriptions";
import { unsubscribeToken } from "@/lib/sites/reports/unsubscribe";
import { call } from "@/lib/testing/calls";
import { makeSite } from "@/lib/testing/world";
import { GET, POST } from "./route";

const requestFor = (token: string, query = "") =>
  [new Request(`http://localhost/api/unsubscribe/${token}${query}`), { params: Promise.resolve({ token }) }] as const;

test("a one-click POST unsubscribes without a redirect, a GET changes nothing, and a forged token is 404", async () => {
  const { id: siteId, ownerId: personId } = await makeSite();
  const gets = async () => (await listSubscriptions(personId))[0]?.cadences;
  await call(personId, "sites.reports.update", { site_id: siteId, weekly: true });
  const token = unsubscribeToken({ kind: "member", siteId, personId, cadence: "weekly" });

  expect((await GET(...requestFor(token))).headers.get("location")).toMatch(new RegExp(`/unsubscribe/${token}$`));
  expect((await POST(...requestFor(`1${token}`))).status).toBe(404);
  expect(await gets()).toEqual(["weekly"]);

  expect((await POST(...requestFor(token))).status).toBe(200);
  expect(await gets()).toEqual([]);
  // The button on the page, which may be pressed again.
  const again = await POST(...requestFor(token, "?page"));
  expect([again.status, again.headers.get("location")]).toEqual([303, expect.stringMatching(/\?done$/)]);
});
