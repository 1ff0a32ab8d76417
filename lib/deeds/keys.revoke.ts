import { z } from "zod";
import { keyId, siteId } from "@/lib/contract/fields";
import { defineDeed, FRESH_MS } from "@/lib/deeds/define";
import { revokeKey } from "@/lib/sites/ingest-keys";

export default defineDeed({
  id: "keys.revoke",
  freshMs: FRESH_MS,
  input: z.strictObject({ site_id: siteId, key_id: keyId }),

  async run({ input, owner, requestId, now }) {
    await revokeKey({ personId: owner.personId, siteId: input.site_id, requestId, now }, input.key_id);
    return undefined;
  },
});
