import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { keyId, siteId } from "@/lib/contract/fields";
import { keyLabel, revocableKey, revokeKey } from "@/lib/sites/ingest-keys";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.keys.revoke",
  title: msg("Revoke an ingest key"),
  about:
    "Revokes a key within five seconds and removes it from the list. Events sent with it are then refused and lost; to replace a key without loss, use sites.keys.rotate.",
  scope: "sites:write",
  role: "manager",
  risk: "security",
  input: z.strictObject({ site_id: siteId, key_id: keyId }),
  example: { site_id: 1, key_id: 1 },
  output: z.object({ key_id: keyId }),

  async summary({ input, ...work }) {
    return [{ label: "Ingest key", before: keyLabel(await revocableKey(work, input.key_id)), after: null }];
  },

  async run({ input, ...work }) {
    await revokeKey(work, input.key_id);
    return { key_id: input.key_id };
  },
});
