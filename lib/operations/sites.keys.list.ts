import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { describeKey, keyShape, listKeys } from "@/lib/sites/ingest-keys";

export default defineOperation({
  id: "sites.keys.list",
  title: "List ingest keys",
  about:
    "Lists the ingest keys of a site, newest first, without the secret values. Expired keys are listed until they are revoked.",
  scope: "sites:read",
  role: "manager",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: z.object({ keys: z.array(keyShape) }),

  async run({ site, db }) {
    return { keys: (await listKeys(site.id, db)).map(describeKey) };
  },
});
