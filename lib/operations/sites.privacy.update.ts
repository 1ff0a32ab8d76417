import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { settingFields } from "@/lib/contract/setting-fields";
import { settingLines } from "@/lib/contract/site-settings";
import { changePrivacy, deleteReturningVisitorsLater, privacyShape, readPrivacy } from "@/lib/sites/privacy";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.privacy.update",
  title: msg("Change privacy settings"),
  about:
    "Sets what a site stores about its visitors, all settings at once. It takes effect for new events within ten seconds. With `retention_salt` false, the stored ids of returning visitors are deleted.",
  scope: "sites:write",
  role: "manager",
  risk: "configuration",
  input: z.strictObject({ site_id: siteId, ...settingFields("privacy") }),
  example: {
    site_id: 1,
    anonymise_ip: true,
    geo_precision: "country",
    honour_gpc: true,
    retention_salt: false,
  },
  output: privacyShape,

  async summary({ input, site, db }) {
    const before = await db.site.findUniqueOrThrow({ where: { id: site.id } });
    const deletesIds = before.retentionSalt && !input.retention_salt;
    return [
      ...settingLines("privacy", before, input),
      ...(deletesIds ? [{ label: "Ids of returning visitors", before: "Stored", after: "Deleted permanently" }] : []),
    ];
  },

  current: ({ site, db }) => readPrivacy(site.id, db),

  async run({ input, site, db }) {
    const { site_id, ...privacy } = input;
    await changePrivacy(db, site.id, privacy);
    return { site_id, ...(await readPrivacy(site_id, db)) };
  },

  after(done) {
    if (!done.retention_salt) deleteReturningVisitorsLater(done.site_id);
  },
});
