import { z } from "zod";
import { siteId } from "@/lib/contract/fields";
import { defineDeed } from "@/lib/deeds/define";
import { perEuro, rateCurrency, rateDay, setRate } from "@/lib/sites/rates";

export default defineDeed({
  id: "rates.set",
  freshMs: null,
  input: z.strictObject({
    site_id: siteId,
    currency: rateCurrency,
    day: rateDay,
    per_euro: perEuro,
  }),

  async run({ input: { site_id: siteId, ...rate }, owner, requestId, now }) {
    await setRate({ personId: owner.personId, siteId, requestId, now }, rate);
    return undefined;
  },
});
