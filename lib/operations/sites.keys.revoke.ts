import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { keyId, siteId } from "@/lib/contract/fields";
import { keyInWords, revocableKey, revokeKey } from "@/lib/sites/ingest-keys";

export default defineOperation({
  id: "sites.keys.revoke",
  title: "Revoke an ingest key",
  about:
    "Ends a key within five seconds and takes it from the list. Whatever still sends with it is refused, and its events are lost; to replace a key without that, rotate it.",
  scope: "sites:write",
  role: "manager",
  risk: "security",
  input: z.strictObject({ site_id: siteId, key_id: keyId }),
  example: { site_id: 1, key_id: 1 },
  output: z.object({ key_id: keyId }),

  async summary({ input, ...work }) {
    return [{ label: "Ingest key", before: keyInWords(await revocableKey(work, input.key_id)), after: null }];
  },

  async run({ input, ...work }) {
    await revokeKey(work, input.key_id);
    return { key_id: input.key_id };
  },
});
