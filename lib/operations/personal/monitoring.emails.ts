import { z } from "zod";
import { requireConfirmed } from "@/lib/auth/confirmation";
import { definePersonalOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { setAlertEmails } from "@/lib/monitoring/monitor";

export default definePersonalOperation({
  id: "monitoring.emails",
  freshMs: null,
  input: z.strictObject({ site_id: siteId, emails: z.boolean("must be true or false") }),

  async run({ input, owner }) {
    if (input.emails) requireConfirmed(owner);
    await setAlertEmails(owner.personId, input.site_id, input.emails);
    return {};
  },
});
