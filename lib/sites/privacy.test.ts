import { expect, test } from "vitest";
import { db } from "@/lib/db";
import { changePrivacy, readPrivacy } from "@/lib/sites/privacy";
import { makePerson, makeSite } from "@/lib/testing/world";

const STRICT = { anonymiseIp: true, geoPrecision: "country", honourGpc: false, retentionSalt: true } as const;
const by = (siteId: number, personId: number) => ({ siteId, personId, requestId: "r", now: new Date() });

test("a manager decides what is kept of visitors, and the audit tells it; a viewer does not", async () => {
  const site = await makeSite();
  expect(await readPrivacy(site.id)).toEqual({
    anonymiseIp: false,
    geoPrecision: "city",
    honourGpc: true,
    retentionSalt: false,
  });
  const [manager, viewer] = [await makePerson(), await makePerson()];
  await db().membership.createMany({
    data: [
      { siteId: site.id, personId: manager, role: "manager", createdAt: new Date() },
      { siteId: site.id, personId: viewer, role: "viewer", createdAt: new Date() },
    ],
  });
  await expect(changePrivacy(by(site.id, viewer), STRICT)).rejects.toMatchObject({ code: "role_denied" });
  await changePrivacy(by(site.id, manager), STRICT);
  expect(await readPrivacy(site.id)).toEqual(STRICT);
  const audit = await db().audit.findMany({ where: { siteId: site.id, operation: "privacy.update" } });
  expect(audit).toMatchObject([{ personId: manager, detail: { anonymise_ip: "true", geo_precision: "country" } }]);
});
