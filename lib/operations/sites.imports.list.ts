import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { reports } from "@/lib/platform/reports";
import { listImports } from "@/lib/transfer/imports";

const count = z.int().meta({ description: "Sum over its days" });

export default defineOperation({
  id: "sites.imports.list",
  title: "List imports",
  about:
    "Lists the data imported from other analytics services, with days and totals per service. Imports are run as a command on the server.",
  scope: "sites:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: z.object({
    imports: z.array(
      z.object({
        source: z.string().meta({ description: "The service the data came from", examples: ["plausible"] }),
        from: z.string().meta({ description: "First day with data" }),
        to: z.string().meta({ description: "Last day with data" }),
        days: z.int().meta({ description: "Number of days with data; there may be gaps" }),
        dimensions: z.array(z.string()).meta({ description: "Dimensions by which the days are broken down" }),
        visitors: count,
        visits: count,
        pageviews: count,
        events: count,
      }),
    ),
  }),

  async run({ site }) {
    return { imports: await listImports(reports(), site.id) };
  },
});
