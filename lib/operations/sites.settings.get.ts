import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId, siteShape } from "@/lib/contract/fields";
import { describeSite } from "@/lib/sites/access";

export default defineOperation({
  id: "sites.settings.get",
  title: "Read a site's settings",
  about: "One site with its domains and settings.",
  scope: "sites:read",
  role: "manager",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: siteShape,

  run: ({ site, principal, db }) => describeSite(db, site.id, principal),
});
