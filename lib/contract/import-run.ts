import { z } from "zod";
import { about } from "@/lib/contract/fields";
import { COLUMN_MEANINGS, type ColumnMeaning } from "@/lib/contract/import-columns";

const sumOf = (example: number) =>
  about(z.int().nullable(), "Sum over the days; null if the service does not tell it", example);

const meanings = Object.keys(COLUMN_MEANINGS) as [ColumnMeaning, ...ColumnMeaning[]];

export const columnMeaning = z.enum(meanings, `must be one of ${meanings.join(", ")}`).meta({
  description: "Its meaning; `ignored`: skipped",
});

const columnQuestionShape = z.object({
  file: about(z.string(), "The file", "report.csv"),
  column: about(z.string(), "The column", "Gebruikers"),
  examples: about(z.array(z.string()), "Values of its first rows", ["141", "115"]),
  suggestion: about(z.string().nullable(), "Its most likely meaning; null for no idea", "visitors"),
});

/** An import of uploaded files, or of Google Analytics, as operations answer it. */
export const importRunShape = z
  .object({
    import_id: about(z.string(), "Identifies the import", "9b1d7c40-52e3-4f7a-8a34-61c0f2b7d815"),
    state: about(
      z.enum(["fetching", "checking", "ready", "importing", "done", "failed"]),
      "`fetching`: from Google Analytics; `ready`: checked, waits for sites.imports.start; `failed`: nothing was stored, or only some of Footfall's own events; see `problem`",
      "ready",
    ),
    source: about(z.string().nullable(), "The service; null until it is recognised", "plausible"),
    removable: about(
      z.boolean(),
      "Whether sites.imports.delete removes it; false for Footfall's own events (`footfall_events`), which nothing tells from others",
      true,
    ),
    files: about(z.array(z.string()), "Names of the files", ["plausible-export.zip"]),
    file_ids: about(z.array(z.string()), "Their uploads; empty once these are deleted", [
      "3f2c1a9e-6f0b-4a86-9d0e-2b7c5a1d4e90",
    ]),
    progress: about(z.number().min(0).max(1), "How much of the present state is done, from 0 to 1", 1),
    sums: z
      .object({
        from: about(z.string(), "First day", "2026-10-24"),
        to: about(z.string(), "Last day", "2026-11-20"),
        days: about(z.int(), "Number of days with data", 28),
        own_days: about(z.int(), "Days that are skipped, because the site has events of its own", 0),
        replaced_days: about(z.int(), "Days whose earlier imported totals are replaced", 0),
        earlier_days: about(
          z.int().nullable(),
          "Days that the site had of this service before; if 0, sites.imports.delete of the service undoes this import alone; null if it was not counted",
          0,
        ),
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
    problem: about(z.string().nullable(), "Why the import failed, or a fetch waits, with the way out", null),
    questions: z
      .array(columnQuestionShape)
      .meta({ description: "Unknown columns: answer with `columns` of sites.imports.create" }),
    created_at: about(z.iso.datetime(), "When the check began", "2026-11-20T09:30:00Z"),
  })
  .meta({ id: "ImportRun" });
