import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { describeRetention, retentionShape } from "@/lib/sites/retention";

export default defineOperation({
  id: "sites.retention.get",
  title: "Read data retention",
  about: "Returns how long a site keeps its data, and the first day with data.",
  scope: "sites:read",
  role: "manager",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: retentionShape,

  async run({ site, now }) {
    return describeRetention(site, now);
  },
});
