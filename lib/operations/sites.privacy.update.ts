import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import {
  changePrivacy,
  deleteReturningVisitorsLater,
  describePrivacy,
  privacyFields,
  privacyShape,
  readPrivacy,
} from "@/lib/sites/privacy";
import { PRECISIONS, PRIVACY_LABELS, type Privacy } from "@/lib/sites/privacy-text";

export default defineOperation({
  id: "sites.privacy.update",
  title: "Change privacy settings",
  about:
    "Sets what a site stores about its visitors, all settings at once. It takes effect for new events within ten seconds. With `retention_salt` false, the stored ids of returning visitors are deleted.",
  scope: "sites:write",
  role: "manager",
  risk: "configuration",
  input: z.strictObject({ site_id: siteId, ...privacyFields }),
  example: {
    site_id: 1,
    anonymise_ip: true,
    geo_precision: "country",
    honour_gpc: true,
    retention_salt: false,
  },
  output: privacyShape,

  async summary({ input, site, db }) {
    const [before, becomes] = [await readPrivacy(site.id, db), privacyOf(input)];
    const deletesIds = before.retentionSalt && !becomes.retentionSalt;
    return [
      ...LINES.map(({ label, text }) => ({ label, before: text(before), after: text(becomes) })),
      ...(deletesIds ? [{ label: "Ids of returning visitors", before: "Stored", after: "Deleted permanently" }] : []),
    ];
  },

  async run({ input, site, db }) {
    const privacy = privacyOf(input);
    await changePrivacy(db, site.id, privacy);
    return describePrivacy(site.id, privacy);
  },

  after(done) {
    if (!done.retention_salt) deleteReturningVisitorsLater(done.site_id);
  },
});

const privacyOf = (input: z.output<z.ZodObject<typeof privacyFields>>): Privacy => ({
  anonymiseIp: input.anonymise_ip,
  geoPrecision: input.geo_precision,
  honourGpc: input.honour_gpc,
  retentionSalt: input.retention_salt,
});

const yesNo = (yes: boolean) => (yes ? "Yes" : "No");

const LINES: { label: string; text(privacy: Privacy): string }[] = [
  { label: PRIVACY_LABELS.anonymiseIp, text: ({ anonymiseIp }) => yesNo(anonymiseIp) },
  { label: PRIVACY_LABELS.geoPrecision, text: ({ geoPrecision }) => PRECISIONS[geoPrecision] },
  { label: PRIVACY_LABELS.honourGpc, text: ({ honourGpc }) => yesNo(honourGpc) },
  { label: PRIVACY_LABELS.retentionSalt, text: ({ retentionSalt }) => yesNo(retentionSalt) },
];
