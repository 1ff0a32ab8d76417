import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { columnMeaning, importRunShape } from "@/lib/contract/import-run";
import { msg } from "@/lib/texts/translate";
import { createRun } from "@/lib/transfer/import-runs";
import { UPLOAD_LIMITS } from "@/lib/transfer/uploads";

const MAX_COLUMNS = 500;
const name = (what: string, most: number) =>
  z
    .string("must be text")
    .max(most, `must have at most ${most} characters`)
    .meta({ description: `The ${what}, as in the question` });
const MAX_FILES = UPLOAD_LIMITS.siteFiles;

export default defineOperation({
  id: "sites.imports.create",
  title: msg("Check files for an import"),
  about:
    "Begins to check uploaded files: recognises the service by their content, and computes what an import would store. Nothing is stored yet. Poll sites.imports.list until `state` is `ready` or `failed`, then call sites.imports.start.",
  scope: "sites:write",
  role: "owner",
  risk: "write",
  input: z.strictObject({
    site_id: siteId,
    files: z
      .array(z.uuid("must be a file_id"), "must be a list")
      .min(1, "must have a file_id")
      .max(MAX_FILES, `must have at most ${MAX_FILES}`)
      .refine((ids) => new Set(ids).size === ids.length, "must not repeat a file_id")
      .meta({ description: "All files of the import, as file_id of sites.imports.upload" }),
    columns: z
      .array(
        z.strictObject(
          { file: name("file", 1_000), column: name("column", 1_000), meaning: columnMeaning },
          "must be an object with file, column and meaning",
        ),
        "must be a list",
      )
      .max(MAX_COLUMNS, `must have at most ${MAX_COLUMNS}`)
      .optional()
      .meta({ description: "Answers to `questions` of an earlier check" }),
  }),
  example: { site_id: 1, files: ["3f2c1a9e-6f0b-4a86-9d0e-2b7c5a1d4e90"] },
  output: importRunShape,

  run: ({ input, site, db, now }) => createRun(db, site.id, input, now),
});
