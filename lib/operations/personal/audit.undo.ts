import { z } from "zod";
import { undoEntry } from "@/lib/agents/undo";
import { definePersonalOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";

const ENTRY = "must be the id of an entry of the log";

export default definePersonalOperation({
  id: "audit.undo",
  // The operation that undoes the entry asks for a proof where it needs one.
  freshMs: null,
  input: z.strictObject({ site_id: siteId, entry_id: z.string(ENTRY).regex(/^\d{1,18}$/, ENTRY) }),

  async run({ input, owner, requestId, now }) {
    await undoEntry({ owner, siteId: input.site_id, requestId, now }, BigInt(input.entry_id));
    return {};
  },
});
