import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { reports } from "@/lib/platform/db";
import { listImports } from "@/lib/transfer/imports";

const count = z.int().meta({ description: "The sum of its days" });

export default defineOperation({
  id: "sites.imports.list",
  title: "List imports",
  about:
    "Lists what other services counted before the site came here, by service: which days, and what they come to. Imports themselves run as a command on the machine of the service.",
  scope: "sites:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: z.object({
    imports: z.array(
      z.object({
        source: z.string().meta({ description: "The service", examples: ["plausible"] }),
        from: z.string().meta({ description: "The first of its days" }),
        to: z.string().meta({ description: "The last of its days" }),
        days: z.int().meta({ description: "How many days it has; there may be gaps" }),
        dimensions: z.array(z.string()).meta({ description: "What its days are broken down by" }),
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
