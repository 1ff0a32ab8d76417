import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { importRunShape } from "@/lib/contract/import-run";
import { msg } from "@/lib/texts/translate";
import { createFetch } from "@/lib/transfer/import-runs";

const day = (which: string, example: string) =>
  z.iso
    .date("must be a date, such as 2024-02-29")
    .meta({ description: `The ${which} day, as the property has it`, examples: [example] });

export default defineOperation({
  id: "sites.imports.fetch",
  title: msg("Fetch Google Analytics"),
  about:
    "Begins to fetch days of a property of Google Analytics, and then checks them. Quotas may make it take hours. Go on as after sites.imports.create.",
  scope: "sites:write",
  role: "owner",
  risk: "write",
  input: z.strictObject({
    site_id: siteId,
    property: z
      .string("must be text")
      .max(100, "must have at most 100 characters")
      .meta({ description: "As in sites.imports.properties", examples: ["properties/123456789"] }),
    from: day("first", "2026-10-24"),
    to: day("last", "2026-11-20"),
  }),
  example: { site_id: 1, property: "properties/123456789", from: "2026-10-24", to: "2026-11-20" },
  output: importRunShape,

  run: ({ input, site, db, now }) => createFetch(db, site, input, now),
});
