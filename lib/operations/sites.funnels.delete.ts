import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { deleteFunnel, describeFunnel, funnelShape } from "@/lib/sites/saved/funnels";
import { savedId } from "@/lib/sites/saved/save";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.funnels.delete",
  title: msg("Delete a funnel"),
  about: "Deletes a funnel. Stored events stay.",
  scope: "sites:write",
  role: "manager",
  risk: "write",
  input: z.strictObject({ site_id: siteId, id: savedId }),
  example: { site_id: 1, id: "0b8a6f0e-6c1d-4f2a-9a3e-5d7c8b9e1f20" },
  output: funnelShape,

  async run({ input, ...work }) {
    return describeFunnel(await deleteFunnel(work, input.id));
  },

  audited: ({ data }) => data,
});
