import { defineOperation } from "@/lib/contract/define";
import { dashboardInput, dashboardShape, describeDashboard, saveDashboard } from "@/lib/sites/saved/dashboards";
import { checkFilters } from "@/lib/sites/saved/save";

export default defineOperation({
  id: "sites.dashboards.save",
  title: "Save a dashboard",
  about:
    "Creates a dashboard, or changes the one with `id`. A dashboard is a named view: filters, range, traffic, comparison and panels. Everyone with access to the site can open it.",
  scope: "sites:write",
  role: "manager",
  risk: "write",
  input: dashboardInput,
  example: {
    site_id: 1,
    name: "Mornings",
    filters: { country: "FR" },
    period: "7d",
    panels: ["metrics", "chart", "pages"],
  },
  output: dashboardShape,

  reach: ({ input }) => checkFilters(input.filters),

  async run({ input, ...work }) {
    return describeDashboard(await saveDashboard(work, input));
  },
});
