import { expect, test } from "vitest";
import { db } from "@/lib/db";
import { changeKeptMonths, keptSince, readKeptMonths } from "@/lib/sites/keeping";
import { LETTER_TIME, lettersOf } from "@/lib/testing/letters";
import { callApi, makeClient, makePerson, makeSite } from "@/lib/testing/world";

const by = (siteId: number, personId: number) => ({ siteId, personId, requestId: "r", now: LETTER_TIME });

test("an owner decides how long what was counted is kept, the audit and the other owners hear of it; a manager does not", async () => {
  const site = await makeSite();
  expect(await readKeptMonths(site.id)).toBeNull();
  const [manager, other] = [await makePerson(), await makePerson()];
  await db().membership.createMany({
    data: [
      { siteId: site.id, personId: manager, role: "manager", createdAt: new Date() },
      { siteId: site.id, personId: other, role: "owner", createdAt: new Date() },
    ],
  });
  await expect(changeKeptMonths(by(site.id, manager), 12)).rejects.toMatchObject({ code: "role_denied" });
  await changeKeptMonths(by(site.id, site.ownerId), 12);
  expect(await readKeptMonths(site.id)).toBe(12);
  const { token } = await makeClient({ scopes: ["sites:read"], sites: [site], personId: site.ownerId });
  const { body } = await callApi("sites.settings.get", { token, input: { site_id: site.id } });
  expect(body.data.kept_months).toBe(12);
  const audit = await db().audit.findMany({ where: { siteId: site.id, operation: "keeping.update" } });
  expect(audit).toMatchObject([{ personId: site.ownerId, detail: { keep_months: 12 } }]);
  const told = await Promise.all([site.ownerId, manager, other].map(lettersOf));
  expect(told.map((letters) => letters.map(({ text }) => text.includes("is kept for 1 year; what is older")))).toEqual([
    [],
    [],
    [true],
  ]);
});

test("the first day that is kept is so many months ago on the site's own calendar, at the end of a shorter month its last", () => {
  const at = new Date("2025-03-31T02:00:00Z");
  expect(`${keptSince(1, "Europe/Berlin", at)}`).toBe("2025-02-28");
  expect(`${keptSince(1, "America/Los_Angeles", at)}`).toBe("2025-02-28");
  expect(`${keptSince(12, "America/Los_Angeles", at)}`).toBe("2024-03-30");
});
