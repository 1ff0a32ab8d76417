import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { about, siteId } from "@/lib/contract/fields";
import { perEuro, rateCurrency, rateDay, rateShape, setRate } from "@/lib/sites/rates";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.rates.set",
  title: msg("Set an exchange rate"),
  about:
    "Sets how many units of a currency one euro is worth, from a local day of the site until the next rate of that currency. Replaces a rate of the same day. Reports on past days use it too.",
  scope: "sites:write",
  role: "manager",
  risk: "write",
  input: z.strictObject({ site_id: siteId, currency: rateCurrency, day: rateDay, per_euro: perEuro }),
  example: { site_id: 1, currency: "USD", day: "2026-11-20", per_euro: "1.0895" },
  output: rateShape.extend({
    replaced: about(rateShape.nullable(), "The previous rate of that day; null if it had none", null),
  }),

  async run({ input: { site_id: _, ...rate }, site, db }) {
    return { ...rate, replaced: await setRate(db, site.id, rate) };
  },

  audited: ({ data }) => data,
});
