import { expect, test } from "vitest";
import { db } from "@/lib/platform/db";
import { callApproved } from "@/lib/testing/approved";
import { CALL_TIME, call, makeMember, refused, revisionOf, summaryOf } from "@/lib/testing/calls";
import { callApi, makeClient, makePerson, makeSite } from "@/lib/testing/world";

const STRICT = { anonymise_ip: true, geo_precision: "country", honour_gpc: false, retention_salt: true };

test("managers read and change privacy settings, with an audit entry; viewers and non-members cannot", async () => {
  const site = await makeSite();
  const get = (personId: number) => call(personId, "sites.privacy.get", { site_id: site.id });
  const update = (personId: number) => call(personId, "sites.privacy.update", { site_id: site.id, ...STRICT });
  expect(await get(site.ownerId)).toEqual({
    site_id: site.id,
    anonymise_ip: false,
    geo_precision: "city",
    honour_gpc: true,
    retention_salt: false,
  });
  const [manager, viewer] = [await makeMember(site.id, "manager"), await makeMember(site.id, "viewer")];
  const stranger = await makePerson();
  for (const operation of [get, update]) {
    expect((await refused(operation(viewer)))?.code).toBe("role_denied");
    expect((await refused(operation(stranger)))?.code).toBe("site_not_granted");
  }
  expect(await update(manager)).toEqual({ site_id: site.id, ...STRICT });
  expect(await get(manager)).toEqual({ site_id: site.id, ...STRICT });
  const columns = { anonymiseIp: true, geoPrecision: "country", honourGpc: false, retentionSalt: true };
  expect(await db().site.findUniqueOrThrow({ where: { id: site.id } })).toMatchObject(columns);
  expect(await revisionOf(site.id)).toBe(2);
  const audit = await db().audit.findMany({
    where: { siteId: site.id, operation: "sites.privacy.update" },
    orderBy: { id: "asc" },
  });
  expect(audit).toMatchObject([{ personId: manager, clientId: null, detail: STRICT }]);
});

test("an agent changes privacy settings after a manager approved all values before and after", async () => {
  const site = await makeSite();
  const manager = await makeMember(site.id, "manager");
  const scopes = ["sites:read", "sites:write"] as const;
  const agent = await makeClient({ scopes, sites: [site], personId: manager, now: CALL_TIME });
  const input = { site_id: site.id, ...STRICT, retention_salt: false };
  const { body, lines } = await callApproved("sites.privacy.update", {
    token: agent.token,
    input,
    approverId: manager,
    now: CALL_TIME,
  });
  expect(body.data).toEqual(input);
  expect(lines).toEqual([
    { label: "Truncate IP addresses", before: "No", after: "Yes" },
    { label: "Locations", before: "Country, region and city", after: "Country only" },
    { label: "Honour Global Privacy Control", before: "Yes", after: "No" },
    { label: "Recognise returning visitors within a month", before: "No", after: "No" },
  ]);
  const request = { token: agent.token, input: { site_id: site.id }, now: CALL_TIME };
  expect((await callApi("sites.privacy.get", request)).body.data).toEqual(input);
});

test("the approval of turning off recognition says that stored returning visitors are deleted", async () => {
  const site = await makeSite();
  await call(site.ownerId, "sites.privacy.update", { site_id: site.id, ...STRICT });
  const lines = await summaryOf(site.ownerId, site.id, "sites.privacy.update", { ...STRICT, retention_salt: false });
  expect(lines?.at(-1)).toEqual({
    label: "Ids of returning visitors",
    before: "Stored",
    after: "Deleted permanently",
  });
});
