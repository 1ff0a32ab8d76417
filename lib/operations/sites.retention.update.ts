import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { changeSite } from "@/lib/gateway/changes/site-revision";
import {
  describeRetention,
  retentionMonths,
  retentionShape,
  summariseRetention,
  withRetention,
} from "@/lib/sites/retention";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.retention.update",
  title: msg("Change data retention"),
  about:
    "Sets for how many months a site keeps its data; null is forever. Older data is deleted permanently, starting within ten minutes. Export it first if you need it.",
  scope: "sites:write",
  role: "owner",
  risk: "destructive",
  input: z.strictObject({ site_id: siteId, retention_months: retentionMonths }),
  example: { site_id: 1, retention_months: 24 },
  output: retentionShape,

  async summary({ input, site, now }) {
    return summariseRetention(site, input.retention_months, now);
  },

  async current({ site, db }) {
    const { keepMonths } = await db.site.findUniqueOrThrow({ where: { id: site.id }, select: { keepMonths: true } });
    return { retention_months: keepMonths };
  },

  async run({ input, site, db, now }) {
    await changeSite(db, site.id, { keepMonths: input.retention_months });
    return describeRetention(withRetention(site, input.retention_months), now);
  },
});
