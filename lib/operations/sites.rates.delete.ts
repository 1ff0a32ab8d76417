import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { deleteRate, rateCurrency, rateDay, rateShape } from "@/lib/sites/rates";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.rates.delete",
  title: msg("Delete an exchange rate"),
  about: "Deletes an exchange rate that was set for the site and returns it.",
  scope: "sites:write",
  role: "manager",
  risk: "write",
  input: z.strictObject({ site_id: siteId, currency: rateCurrency, day: rateDay }),
  example: { site_id: 1, currency: "USD", day: "2026-11-20" },
  output: rateShape,

  run: ({ input: { currency, day }, site, db }) => deleteRate(db, site.id, { currency, day }),
  audited: ({ data }) => data,
});
