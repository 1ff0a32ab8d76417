import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId, siteShape } from "@/lib/contract/fields";
import { describeSite } from "@/lib/sites/access";
import { listSavedNames, savedNamesShape } from "@/lib/sites/saved/names";
import { publicationOf } from "@/lib/sites/verification";
import { publicationShape } from "@/lib/sites/verify";

export default defineOperation({
  id: "sites.settings.get",
  title: "Read a site's settings",
  about:
    "One site with its domains and settings, what to publish to prove its primary domain, for how long it keeps what was counted, and the names of what is saved for its reports.",
  scope: "sites:read",
  role: "manager",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: siteShape.extend({
    saved: savedNamesShape,
    proof: publicationShape.meta({ description: "What to publish before sites.verify, in one of three places" }),
    kept_months: z.int().nullable().meta({
      description:
        "For so many months what was counted is kept, and destroyed then; null: forever. An owner decides it under Settings, Data",
    }),
  }),

  async run({ site, principal, db }) {
    const [described, saved] = await Promise.all([describeSite(db, site.id, principal), listSavedNames(db, site.id)]);
    return { ...described, saved, proof: publicationOf(site.id, site.domain), kept_months: site.kept.months };
  },
});
