import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { describeExclusion, exclusionShape, listExclusions } from "@/lib/sites/exclusions";

export default defineOperation({
  id: "sites.exclusions.list",
  title: "List exclusions",
  about: "Lists the exclusions of a site. Events that match one are not stored, only counted as excluded.",
  scope: "sites:read",
  // Exclusions contain IP addresses of people.
  role: "manager",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: z.object({ exclusions: z.array(exclusionShape) }),

  async run({ site, db }) {
    return { exclusions: (await listExclusions(site.id, db)).map(describeExclusion) };
  },
});
