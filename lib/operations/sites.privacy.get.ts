import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { privacyShape, readPrivacy } from "@/lib/sites/privacy";

export default defineOperation({
  id: "sites.privacy.get",
  title: "Read privacy settings",
  about: "Returns what a site stores about its visitors.",
  scope: "sites:read",
  role: "manager",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: privacyShape,

  async run({ site, db }) {
    return { site_id: site.id, ...(await readPrivacy(site.id, db)) };
  },
});
