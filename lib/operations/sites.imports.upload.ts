import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { about, siteId } from "@/lib/contract/fields";
import { msg } from "@/lib/texts/translate";
import { announceUpload, MAX_NAME_LENGTH, UPLOAD_LIMITS } from "@/lib/transfer/uploads";

export default defineOperation({
  id: "sites.imports.upload",
  title: msg("Announce an upload"),
  about:
    "Announces an export of Footfall or of another analytics service. Then send its bytes in parts of at most `part_size` with PUT /api/v1/management/uploads/{file_id}?offset=0 and so on. A part may be sent again. Uploads are deleted after a day.",
  scope: "sites:write",
  role: "owner",
  risk: "write",
  input: z.strictObject({
    site_id: siteId,
    name: z
      .string("must be text")
      .min(1, "must not be empty")
      .max(MAX_NAME_LENGTH, `must have at most ${MAX_NAME_LENGTH} characters`)
      .meta({ description: "The file's name, for messages", examples: ["plausible-export.zip"] }),
    size: z
      .int("must be a whole number")
      .min(1, "must be 1 or more: the file is empty")
      .meta({ description: `Its size in bytes, at most ${UPLOAD_LIMITS.fileBytes}`, examples: [482_113] }),
  }),
  example: { site_id: 1, name: "plausible-export.zip", size: 482_113 },
  output: z.object({
    file_id: about(z.string(), "Identifies the upload", "3f2c1a9e-6f0b-4a86-9d0e-2b7c5a1d4e90"),
    name: about(z.string(), "As it was sent", "plausible-export.zip"),
    size: about(z.int(), "Bytes announced", 482_113),
    arrived: about(z.int(), "Bytes that have arrived", 0),
    part_size: about(z.int(), "Most bytes of a part", UPLOAD_LIMITS.partBytes),
  }),

  async run({ input: { name, size }, site, db, now }) {
    return { ...(await announceUpload(db, site.id, { name, size }, now)), part_size: UPLOAD_LIMITS.partBytes };
  },
});
