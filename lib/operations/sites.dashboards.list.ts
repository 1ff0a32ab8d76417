import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { dashboardShape, describeDashboard, listDashboards } from "@/lib/sites/saved/dashboards";

export default defineOperation({
  id: "sites.dashboards.list",
  title: "List dashboards",
  about: "Lists the dashboards of a site by name. Send the id of a dashboard as `dashboard` to any report.",
  scope: "sites:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: z.object({ dashboards: z.array(dashboardShape) }),

  async run({ site, db }) {
    return { dashboards: (await listDashboards(site.id, db)).map(describeDashboard) };
  },
});
