import { defineOperation } from "@/lib/contract/define";
import {
  currentDashboard,
  dashboardInput,
  dashboardShape,
  describeDashboard,
  saveDashboard,
} from "@/lib/sites/saved/dashboards";
import { checkFilters } from "@/lib/sites/saved/save";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.dashboards.save",
  title: msg("Save a dashboard"),
  about:
    "Creates a dashboard, or changes the one with `id`. It is a named view: filters, range, traffic, comparison, goal, and panels or a question of Explore. Everyone with access to the site can open it.",
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

  current: currentDashboard,

  async run({ input, ...work }) {
    return describeDashboard(await saveDashboard(work, input));
  },
});
