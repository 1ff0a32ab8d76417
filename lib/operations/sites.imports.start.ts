import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { importRunShape } from "@/lib/contract/import-run";
import { msg } from "@/lib/texts/translate";
import { startRun } from "@/lib/transfer/import-runs";

export default defineOperation({
  id: "sites.imports.start",
  title: msg("Start an import"),
  about:
    "Imports checked files: daily totals of the days before the first own event, or Footfall's events. Returns at once: poll sites.imports.list until `done`. The same files again change nothing; sites.imports.delete undoes it if `removable`.",
  scope: "sites:write",
  role: "owner",
  risk: "write",
  input: z.strictObject({
    site_id: siteId,
    import_id: z.uuid("must be an import_id").meta({ description: "The checked import" }),
  }),
  example: { site_id: 1, import_id: "9b1d7c40-52e3-4f7a-8a34-61c0f2b7d815" },
  output: importRunShape,

  run: ({ input, site, db }) => startRun(db, site.id, input.import_id),
});
