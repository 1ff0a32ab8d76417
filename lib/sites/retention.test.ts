import { expect, test } from "vitest";
import { retainedSince } from "@/lib/contract/retained-days";
import { db } from "@/lib/platform/db";
import { callApproved } from "@/lib/testing/approved";
import { call, faults, makeMember, refused, revisionOf } from "@/lib/testing/calls";
import { EMAIL_TIME, emailsOf } from "@/lib/testing/emails";
import { callApi, makeClient, makePerson, makeSite, type TestSite } from "@/lib/testing/world";

const get = (personId: number, site: TestSite) =>
  call(personId, "sites.retention.get", { site_id: site.id }, EMAIL_TIME);
const update = (personId: number, site: TestSite, retention_months: number | null) =>
  call(personId, "sites.retention.update", { site_id: site.id, retention_months }, EMAIL_TIME);

test("owners set data retention and all owners are emailed; managers read it, viewers and non-members cannot", async () => {
  const site = await makeSite();
  expect(await get(site.ownerId, site)).toEqual({ retention_months: null, retained_from: null });
  const [manager, viewer] = [await makeMember(site.id, "manager"), await makeMember(site.id, "viewer")];
  const [other, stranger] = [await makeMember(site.id, "owner"), await makePerson()];
  expect((await refused(update(manager, site, 12)))?.code).toBe("role_denied");
  expect((await refused(get(viewer, site)))?.code).toBe("role_denied");
  expect((await refused(update(stranger, site, 12)))?.code).toBe("site_not_granted");
  const kept = { retention_months: 12, retained_from: "2039-05-01" };
  expect(await update(site.ownerId, site, 12)).toEqual(kept);
  expect(await get(manager, site)).toEqual(kept);
  expect(await revisionOf(site.id)).toBe(2);
  const { token } = await makeClient({ scopes: ["sites:read"], sites: [site], personId: site.ownerId });
  const { body } = await callApi("sites.settings.get", { token, input: { site_id: site.id } });
  expect(body.data.kept_months).toBe(12);
  const audit = await db().audit.findMany({
    where: { siteId: site.id, operation: "sites.retention.update" },
    orderBy: { id: "asc" },
  });
  expect(audit).toMatchObject([{ personId: site.ownerId, detail: { retention_months: 12 } }]);
  const emails = await Promise.all([site.ownerId, manager, other].map(emailsOf));
  expect(emails.map((all) => all.map(({ subject }) => subject))).toEqual([
    [`Change data retention: ${site.host}`],
    [],
    [`Change data retention: ${site.host}`],
  ]);
});

test.each([0, 121, 1.5, "12", undefined])("a retention of %j months is refused", async (retention_months) => {
  const site = await makeSite();
  const update = call(site.ownerId, "sites.retention.update", { site_id: site.id, retention_months }, EMAIL_TIME);
  expect(await faults(update)).toEqual([expect.stringMatching(/^retention_months: /)]);
});

test("an agent changes retention after an approval that shows from which day data is deleted", async () => {
  const site = await makeSite();
  const agent = await makeClient({ scopes: ["sites:write"], sites: [site], personId: site.ownerId, now: EMAIL_TIME });
  const run = (retention_months: number | null) =>
    callApproved("sites.retention.update", {
      token: agent.token,
      input: { site_id: site.id, retention_months },
      approverId: site.ownerId,
      now: EMAIL_TIME,
    });
  const shorter = await run(14);
  expect(shorter.body.data).toEqual({ retention_months: 14, retained_from: "2039-03-01" });
  expect(shorter.lines).toEqual([
    { label: "Keep data", before: "Forever", after: "For 14 months" },
    {
      label: "Data from before 2039-03-01",
      before: "Kept",
      after: "Deleted for good, beginning within ten minutes",
    },
  ]);
  expect((await run(24)).lines).toEqual([{ label: "Keep data", before: "For 14 months", after: "For 2 years" }]);
});

test("the first retained day is N months ago in the site's timezone, clamped to the end of shorter months", () => {
  const at = new Date("2025-03-31T02:00:00Z");
  expect(`${retainedSince(1, "Europe/Berlin", at)}`).toBe("2025-02-28");
  expect(`${retainedSince(1, "America/Los_Angeles", at)}`).toBe("2025-02-28");
  expect(`${retainedSince(12, "America/Los_Angeles", at)}`).toBe("2024-03-30");
});
