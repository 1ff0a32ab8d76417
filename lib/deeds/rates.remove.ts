import { z } from "zod";
import { siteId } from "@/lib/contract/fields";
import { defineDeed } from "@/lib/deeds/define";
import { rateCurrency, rateDay, removeRate } from "@/lib/sites/rates";

export default defineDeed({
  id: "rates.remove",
  freshMs: null,
  input: z.strictObject({
    site_id: siteId,
    currency: rateCurrency,
    day: rateDay,
  }),

  async run({ input: { site_id: siteId, ...rate }, owner, requestId, now }) {
    await removeRate({ personId: owner.personId, siteId, requestId, now }, rate);
    return undefined;
  },
});
