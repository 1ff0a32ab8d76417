import { expect, test } from "vitest";
import { settingsOf } from "@/lib/contract/site-settings";
import { DAY_MS } from "@/lib/platform/durations";
import type { PrivacyRecord } from "@/lib/sites/record/record";
import { CALL_TIME, call, makeMember, refused } from "@/lib/testing/calls";
import { callApi, makeClient, makePerson, makeSite, send, type TestSite } from "@/lib/testing/world";

const read = (site: TestSite, personId = site.ownerId, now?: Date): Promise<PrivacyRecord & { markdown: string }> =>
  call(personId, "sites.privacy.record", { site_id: site.id }, now);

const titles = ({ stored }: PrivacyRecord) => stored.map(({ title }) => title);
const fieldsOf = ({ stored }: PrivacyRecord, wanted: string) =>
  stored.find(({ title }) => title === wanted)?.fields.map(({ name }) => name);

test("the record of a site follows its settings, and says nothing of what is turned off", async () => {
  const site = await makeSite();
  const before = await read(site);
  expect(before.settings).toMatchObject({ retention_salt: false, retention_months: null, user_ids: false });
  expect(titles(before)).not.toContain("Days of returning visitors");
  expect(fieldsOf(before, "Locations and languages")).toEqual(["country", "region", "city", "language"]);
  expect(before.policy).toContain("country, region and city of your IP address");
  expect(before.policy).toContain("Global Privacy Control or Do Not Track, your visits are not counted");
  expect(before.policy).not.toMatch(/second pseudonym|last part of your IP address|user account/);

  const strict = { anonymise_ip: true, geo_precision: "none", honour_gpc: false, retention_salt: true };
  await call(site.ownerId, "sites.privacy.update", { site_id: site.id, ...strict });
  await call(site.ownerId, "sites.retention.update", { site_id: site.id, retention_months: 14 });
  const after = await read(site);
  expect(after.settings).toMatchObject({ ...strict, retention_months: 14 });
  expect(titles(after)).toEqual(expect.arrayContaining(["Days of returning visitors", "Salt of the month"]));
  expect(fieldsOf(after, "Locations and languages")).toEqual(["language"]);
  expect(after.stored.find(({ title }) => title === "Visits")?.kept).toBe("Deleted after 14 months.");
  expect(after.policy).toContain("The last part of your IP address is removed first");
  expect(after.policy).toContain("The data is deleted after 14 months.");
  expect(after.policy).toContain("second pseudonym");
  expect(after.policy).not.toMatch(/look up the location|city|Global Privacy Control/);
});

test("the Markdown of the record has every setting, field and sentence of it", async () => {
  const site = await makeSite();
  const record = await read(site);
  for (const { label } of settingsOf("privacy")) expect(record.markdown).toContain(`- ${label}: `);
  for (const { title, kept, fields } of record.stored) {
    expect(record.markdown).toContain(`### ${title}\n\n${kept}`);
    for (const { name, about } of fields) expect(record.markdown).toContain(`- \`${name}\`: ${about}`);
  }
  for (const what of record.never_stored) expect(record.markdown).toContain(`- ${what}`);
  expect(record.markdown).toContain(record.policy);
});

test("a site whose recent events name users says so; events of the month before do not count", async () => {
  const site = await makeSite();
  await send(site, { name: "Signup", url: `https://${site.host}/`, user_id: "u-1042" }, { at: CALL_TIME });
  const days = (count: number) => new Date(CALL_TIME.getTime() + count * DAY_MS);
  const used = await read(site, site.ownerId, days(29));
  expect(used.settings.user_ids).toBe(true);
  expect(used.policy).toContain("a pseudonym of your user account");
  expect((await read(site, site.ownerId, days(31))).settings.user_ids).toBe(false);
});

test("the record is read by managers and their agents, not by viewers or of other sites", async () => {
  const site = await makeSite();
  const { token } = await makeClient({ scopes: ["sites:read"], sites: [site], personId: site.ownerId });
  const { body } = await callApi("sites.privacy.record", { token, input: { site_id: site.id } });
  expect(body.data.domain).toBe(site.host);
  const viewer = await makeMember(site.id, "viewer");
  expect((await refused(read(site, viewer)))?.code).toBe("role_denied");
  expect((await refused(read(site, await makePerson())))?.code).toBe("site_not_granted");
  const other = await makeSite();
  const foreign = await callApi("sites.privacy.record", { token, input: { site_id: other.id } });
  expect(foreign.body.error.code).toBe("site_not_granted");
});
