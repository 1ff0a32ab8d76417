import { defineOperation } from "@/lib/contract/define";
import { dashboardInput, dashboardShape, describeDashboard, saveDashboard } from "@/lib/sites/saved/dashboards";

export default defineOperation({
  id: "sites.dashboards.save",
  title: "Save a dashboard",
  about:
    "Makes a dashboard, or changes the one with `id`. A dashboard is a view with a name: filters, a range, traffic, a comparison and panels. Everybody who sees the site can open it.",
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

  async run({ input, ...work }) {
    return describeDashboard(await saveDashboard(work, input));
  },
});
