import { z } from "zod";
import { about } from "@/lib/contract/fields";

const sumOf = (example: number) =>
  about(z.int().nullable(), "Sum over the days; null if the service does not tell it", example);

/** An import of uploaded files, as operations answer it. */
export const importRunShape = z
  .object({
    import_id: about(z.string(), "Identifies the import", "9b1d7c40-52e3-4f7a-8a34-61c0f2b7d815"),
    state: about(
      z.enum(["checking", "ready", "importing", "done", "failed"]),
      "`ready`: checked, waits for sites.imports.start; `failed`: `problem` says why, and nothing was stored",
      "ready",
    ),
    source: about(z.string().nullable(), "The service; null until it is recognised", "plausible"),
    files: about(z.array(z.string()), "Names of the files", ["plausible-export.zip"]),
    progress: about(z.number().min(0).max(1), "How much of the present state is done, from 0 to 1", 1),
    sums: z
      .object({
        from: about(z.string(), "First day", "2026-10-24"),
        to: about(z.string(), "Last day", "2026-11-20"),
        days: about(z.int(), "Number of days with data", 28),
        own_days: about(z.int(), "Days that are skipped, because the site has events of its own", 0),
        replaced_days: about(z.int(), "Days whose earlier imported totals are replaced", 0),
        rows: about(z.int(), "Rows that were read", 3632),
        visitors: sumOf(128),
        visits: sumOf(161),
        pageviews: sumOf(402),
        events: sumOf(37),
        dimensions: about(z.array(z.string()), "Dimensions by which the days are broken down", ["source", "device"]),
        notes: about(z.array(z.string()), "What is skipped and why, by file", [
          "imported_custom_props.csv is skipped: event properties cannot be stored in daily sums.",
        ]),
      })
      .nullable()
      .meta({ description: "What the import stores; null until the files are checked" }),
    problem: about(z.string().nullable(), "Why the import failed, with the way out", null),
    created_at: about(z.iso.datetime(), "When the check began", "2026-11-20T09:30:00Z"),
  })
  .meta({ id: "ImportRun" });
