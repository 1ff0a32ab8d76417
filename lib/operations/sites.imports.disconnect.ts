import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { about, siteId } from "@/lib/contract/fields";
import { msg } from "@/lib/texts/translate";
import { disconnectAnalytics } from "@/lib/transfer/import-runs";

export default defineOperation({
  id: "sites.imports.disconnect",
  title: msg("Disconnect Google Analytics"),
  about:
    "Ends the consent of the Google account connected for imports, here and at Google, and a fetch with it. What was imported stays.",
  scope: "sites:write",
  role: "owner",
  risk: "write",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: z.object({ disconnected: about(z.boolean(), "Whether an account was connected", true) }),

  async run({ site, db, now }) {
    return { disconnected: await disconnectAnalytics(db, site.id, now) };
  },
});
