import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { optionalParam, siteId } from "@/lib/contract/fields";
import { listRates, rateCurrency, rateShape } from "@/lib/sites/rates";

export default defineOperation({
  id: "sites.rates.list",
  title: "List exchange rates",
  about:
    "Lists the exchange rates that were set for the site, by currency, newest first. Each applies from its day until the next rate of its currency, instead of the reference rates of the European Central Bank.",
  scope: "sites:read",
  role: "manager",
  risk: "none",
  input: z.strictObject({
    site_id: siteId,
    currency: optionalParam(rateCurrency).meta({ description: "Only the rates of this currency" }),
  }),
  example: { site_id: 1, currency: "USD" },
  output: z.object({ rates: z.array(rateShape) }),

  async run({ input, site, db }) {
    return { rates: await listRates(site.id, input.currency ?? null, db) };
  },
});
