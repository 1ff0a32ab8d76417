import { defineOperation } from "@/lib/contract/define";
import {
  dashboardInput,
  dashboardShape,
  describeDashboard,
  listDashboards,
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

  async current({ input, site, db }) {
    const row = (await listDashboards(site.id, db)).find(({ id }) => id === input.id);
    if (!row) return null;
    const { id: _, created_by: __, updated_at: ___, ...fields } = describeDashboard(row);
    return fields;
  },

  async run({ input, ...work }) {
    return describeDashboard(await saveDashboard(work, input));
  },
});
