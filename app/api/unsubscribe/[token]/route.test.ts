import { expect, test } from "vitest";
import { endingToken, listSubscriptions } from "@/lib/sites/reports/subscriptions";
import { call } from "@/lib/testing/calls";
import { makeSite } from "@/lib/testing/world";
import { GET, POST } from "./route";

const asked = (token: string, query = "") =>
  [new Request(`http://localhost/api/unsubscribe/${token}${query}`), { params: Promise.resolve({ token }) }] as const;

test("a mail program's one post ends the reports without a redirect, a look ends nothing, and a changed link is none", async () => {
  const { id: siteId, ownerId: personId } = await makeSite();
  const gets = async () => (await listSubscriptions(personId))[0]?.cadences;
  await call(personId, "sites.reports.update", { site_id: siteId, weekly: true });
  const token = endingToken({ siteId, personId, cadence: "weekly" });

  expect((await GET(...asked(token))).headers.get("location")).toMatch(new RegExp(`/unsubscribe/${token}$`));
  expect((await POST(...asked(`1${token}`))).status).toBe(404);
  expect(await gets()).toEqual(["weekly"]);

  expect((await POST(...asked(token))).status).toBe(200);
  expect(await gets()).toEqual([]);
  // The button of the page, which may be pressed again.
  const again = await POST(...asked(token, "?page"));
  expect([again.status, again.headers.get("location")]).toEqual([303, expect.stringMatching(/\?done$/)]);
});
