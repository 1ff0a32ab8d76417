import { expect, test } from "vitest";
import { type SettingGroup, SITE_SETTINGS, settingsIn, settingsOf, settingText } from "@/lib/contract/site-settings";
import { OPERATIONS } from "@/lib/operations/index";
import { db } from "@/lib/platform/db";
import { call, summaryOf } from "@/lib/testing/calls";
import { makeSite } from "@/lib/testing/world";

const SET_BY: Readonly<Record<SettingGroup, string>> = {
  dashboard: "sites.settings.update",
  general: "sites.settings.update",
  privacy: "sites.privacy.update",
  proxies: "sites.proxy.update",
  monitoring: "sites.monitoring",
};

test.each(Object.keys(SITE_SETTINGS) as SettingGroup[])(
  "each value of the settings %s is stored, and a human approves it by the label and the words of its form",
  async (group) => {
    const [{ id: siteId, ownerId }, id] = [await makeSite(), SET_BY[group]];
    const read = async () => settingsIn(group, await db().site.findUniqueOrThrow({ where: { id: siteId } }));
    for (const setting of settingsOf(group)) {
      const { name, label } = setting;
      for (const value of setting.choices ? Object.keys(setting.choices) : (setting.names ?? [false, true])) {
        const before: Record<string, unknown> = await read();
        const input = { ...OPERATIONS.get(id)?.example, [name]: value, site_id: siteId };
        expect(await summaryOf(ownerId, siteId, id, input)).toContainEqual({
          label,
          before: settingText(setting, before[name]),
          after: settingText(setting, value),
        });
        await call(ownerId, id, input);
        expect(await read()).toMatchObject({ [name]: value });
      }
    }
  },
);

test("a setting that a call leaves out or gives as null stays as it is", async () => {
  const { id: siteId, ownerId } = await makeSite();
  const { public_credit, trailing_slashes, ...needed } = {
    ...{ site_id: siteId, name: "", timezone: "UTC", reporting_currency: "EUR", public: true },
    ...{ public_credit: false, trailing_slashes: "separate_pages" },
  };
  const changed = await call(ownerId, "sites.settings.update", { ...needed, public_credit, trailing_slashes });
  expect(changed).toMatchObject({ public: true, public_credit: false, trailing_slashes: "separate_pages" });
  const nulls = { ...needed, public_credit: null, trailing_slashes: null };
  for (const input of [needed, nulls]) expect(await call(ownerId, "sites.settings.update", input)).toEqual(changed);
});
