import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { keysOf, optionalParam, siteId } from "@/lib/contract/fields";
import { invalidInput } from "@/lib/platform/errors";
import { msg } from "@/lib/texts/translate";
import { downloadAddress, downloadShape } from "@/lib/transfer/downloads";
import { cursorAfter } from "@/lib/transfer/export";
import { FORMATS } from "@/lib/transfer/line";

const formats = keysOf(FORMATS);

export default defineOperation({
  id: "sites.export.download",
  title: msg("Download all events as a file"),
  about:
    "Returns the address of a file with all events, or all imported daily totals: GET /api/v1/management/downloads/{ticket}, for ten minutes and without a token. Each download is audited. Columns: /docs/export.",
  scope: "events:read",
  role: "manager",
  risk: "none",
  input: z.strictObject({
    site_id: siteId,
    format: z
      .enum(formats, `must be ${formats.join(" or ")}; csv for imported totals`)
      .meta({ description: "Of the file; imported totals are `csv`" }),
    content: optionalParam(z.enum(["events", "imported"], "must be events or imported")).meta({
      description: "`imported`: the daily totals that imports brought, as CSV; default `events`",
    }),
    after: optionalParam(z.string("must be text").max(64, "must be the event_id of a line")).meta({
      description: "To continue a download: the `event_id` of its last complete line",
    }),
  }),
  example: { site_id: 1, format: "parquet" },
  output: downloadShape,

  async run({ input: { format, content, after = null }, site, principal, now }) {
    if (content === "imported") {
      if (format !== "csv") throw invalidInput([{ path: "format", message: "must be csv for imported totals" }]);
      if (after !== null) throw invalidInput([{ path: "after", message: "must be left out for imported totals" }]);
      return downloadAddress({ principal, siteId: site.id, wanted: { imported: format } }, now);
    }
    cursorAfter(after);
    return downloadAddress({ principal, siteId: site.id, wanted: { events: format, after } }, now);
  },
});
