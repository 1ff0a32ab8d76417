import { z } from "zod";
import { requireConfirmed } from "@/lib/auth/confirmation";
import { definePersonalOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { setAlertEmails } from "@/lib/monitoring/monitor";

export default definePersonalOperation({
  id: "monitoring.letters",
  freshMs: null,
  input: z.strictObject({ site_id: siteId, letters: z.boolean("must be true or false") }),

  async run({ input, owner }) {
    if (input.letters) requireConfirmed(owner);
    await setAlertEmails(owner.personId, input.site_id, input.letters);
    return {};
  },
});
