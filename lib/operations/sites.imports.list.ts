import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { about, siteId } from "@/lib/contract/fields";
import { importRunShape } from "@/lib/contract/import-run";
import { reports } from "@/lib/platform/reports";
import { listRuns } from "@/lib/transfer/import-runs";
import { listImports } from "@/lib/transfer/imports";

const sumOrNull = (example: number) =>
  about(z.int().nullable(), "Sum over its days; null if the service does not tell it", example);

export default defineOperation({
  id: "sites.imports.list",
  title: "List imports",
  about:
    "Lists the data imported from other analytics services, with days and totals per service, and the latest imports of uploaded files with their progress.",
  scope: "sites:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: z.object({
    imports: z.array(
      z.object({
        source: z.string().meta({ description: "The service the data came from", examples: ["plausible"] }),
        from: about(z.string(), "First day with data", "2026-10-24"),
        to: about(z.string(), "Last day with data", "2026-11-20"),
        days: about(z.int(), "Number of days with data; there may be gaps", 28),
        dimensions: about(z.array(z.string()), "Dimensions by which the days are broken down", ["source", "device"]),
        visitors: about(z.int(), "Sum over its days", 128),
        visits: sumOrNull(161),
        pageviews: sumOrNull(402),
        events: sumOrNull(37),
      }),
    ),
    runs: z.array(importRunShape).meta({ description: "Imports of uploaded files, newest first, at most ten" }),
  }),

  async run({ site, db }) {
    return { imports: await listImports(reports(), site.id), runs: await listRuns(db, site.id) };
  },
});
