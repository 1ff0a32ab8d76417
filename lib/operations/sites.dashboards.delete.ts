import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { dashboardShape, deleteDashboard, describeDashboard } from "@/lib/sites/saved/dashboards";
import { savedId } from "@/lib/sites/saved/save";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.dashboards.delete",
  title: msg("Delete a dashboard"),
  about: "Deletes a dashboard. Reports refuse its id afterwards.",
  scope: "sites:write",
  role: "manager",
  risk: "write",
  input: z.strictObject({ site_id: siteId, id: savedId }),
  example: { site_id: 1, id: "0b8a6f0e-6c1d-4f2a-9a3e-5d7c8b9e1f20" },
  output: dashboardShape,

  async run({ input, ...work }) {
    return describeDashboard(await deleteDashboard(work, input.id));
  },

  audited: ({ data }) => data,
});
