import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { about, siteId } from "@/lib/contract/fields";
import { disconnectAnalytics } from "@/lib/transfer/import-runs";

export default defineOperation({
  id: "sites.imports.disconnect",
  title: "Disconnect Google Analytics",
  about:
    "Deletes the consent of the Google account that was connected for imports, and has it revoked at Google. A fetch that is under way ends. What was imported stays.",
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
