import { z } from "zod";
import { requireConfirmed } from "@/lib/auth/confirmation";
import { definePersonalOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { subscribe, unsubscribe } from "@/lib/mail-reports/subscriptions";

export default definePersonalOperation({
  id: "reports.subscribe",
  freshMs: null,
  input: z.strictObject({
    site_id: siteId,
    cadence: z.enum(["weekly", "monthly"], "must be weekly or monthly"),
    on: z.boolean("must be true or false"),
  }),

  async run({ input: { site_id: siteId, cadence, on }, owner, now }) {
    if (on) requireConfirmed(owner);
    const { personId } = owner;
    if (on) await subscribe(personId, siteId, cadence, now);
    else await unsubscribe(personId, siteId, cadence);
    return {};
  },
});
