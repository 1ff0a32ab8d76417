import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { describeFunnel, funnelShape, listFunnels } from "@/lib/sites/saved/funnels";

export default defineOperation({
  id: "sites.funnels.list",
  title: "List funnels",
  about:
    "Lists the funnels of a site by name. Send the id or name of a funnel as `funnel` to analytics.funnels, analytics.funnels.advanced or analytics.journeys.",
  scope: "sites:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: z.object({ funnels: z.array(funnelShape) }),

  async run({ site, db }) {
    return { funnels: (await listFunnels(site.id, db)).map(describeFunnel) };
  },
});
