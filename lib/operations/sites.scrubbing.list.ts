import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { describeScrubRule, listScrubRules, scrubRuleShape } from "@/lib/sites/scrub-rules";

export default defineOperation({
  id: "sites.scrubbing.list",
  title: "List scrubbing rules",
  about:
    "Lists a site's own rules of what is replaced in events before storage besides the kinds of personal data that the service knows, and of what is kept as it was sent.",
  scope: "sites:read",
  // Patterns can hold personal data.
  role: "manager",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: z.object({ rules: z.array(scrubRuleShape) }),

  async run({ site, db }) {
    return { rules: (await listScrubRules(site.id, db)).map(describeScrubRule) };
  },
});
