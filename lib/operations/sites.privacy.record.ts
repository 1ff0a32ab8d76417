import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { about, siteId } from "@/lib/contract/fields";
import { settingShape } from "@/lib/contract/setting-fields";
import { readPrivacyRecord, recordMarkdown } from "@/lib/sites/record/record";
import { retentionMonths } from "@/lib/sites/retention";
import { msg } from "@/lib/texts/translate";

const label = (example: string) => z.string().meta({ examples: [example] });

export default defineOperation({
  id: "sites.privacy.record",
  title: msg("Write the privacy record"),
  about:
    "Returns every field that a site stores of its visitors and for how long, by its settings, and a text for its privacy policy; also all of it as Markdown.",
  scope: "sites:read",
  role: "manager",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: z.object({
    domain: label("example.com"),
    written_at: z.iso.datetime(),
    settings: z.object({
      ...settingShape("privacy"),
      retention_months: retentionMonths,
      public: settingShape("dashboard").public,
      user_ids: about(z.boolean(), "Whether events of the last 30 days named users", false),
    }),
    stored: z.array(
      z.object({
        title: label("Events"),
        kept: label("Deleted after 2 years."),
        fields: z.array(z.object({ name: label("scroll"), about: label("how far it was scrolled, in percent") })),
      }),
    ),
    never_stored: z.array(label("IP addresses")),
    policy: label("We count how example.com is used with Footfall."),
    markdown: label("# What example.com stores of its visitors"),
  }),

  async run({ site, db, now }) {
    const record = await readPrivacyRecord(db, site, now);
    return { ...record, markdown: recordMarkdown(record) };
  },
});
