import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { about, optionalParam, siteId, supportedDay } from "@/lib/contract/fields";
import { invalidInput } from "@/lib/platform/errors";
import { startOfDay, Temporal } from "@/lib/platform/time";
import { msg } from "@/lib/texts/translate";
import { exportPage } from "@/lib/transfer/export";
import { eventLine } from "@/lib/transfer/line";

const MAX_ROWS = 1_000;

export default defineOperation({
  id: "sites.export",
  title: msg("Export events"),
  about:
    "Returns the raw events of a site with their visits, oldest first, as in the export file. Repeat with `cursor` until it is null. Events of the last minute are left out. Each call is recorded in the audit log.",
  // A scope of its own: consent to reports does not include the actions of single visitors.
  scope: "events:read",
  // As for the export file: rows show what one visitor did in a day.
  role: "manager",
  risk: "none",
  auditsReads: true,
  whileDisabled: true,
  input: z.strictObject({
    site_id: siteId,
    from: optionalParam(supportedDay).meta({
      description: "First local day, inclusive; default the day of the first event",
    }),
    to: optionalParam(supportedDay).meta({ description: "Last local day, inclusive; default today" }),
    cursor: optionalParam(z.string("must be text").max(64, "must be the cursor of the previous page")).meta({
      description: "The `cursor` of the previous page",
    }),
    limit: optionalParam(
      z.int("must be a whole number").min(1, "must be 1 or more").max(MAX_ROWS, `must be at most ${MAX_ROWS}`),
    ).meta({ description: "Maximum number of rows; default 100" }),
  }),
  example: { site_id: 1, from: "2026-11-01", to: "2026-11-30" },
  output: z.object({
    rows: z.array(eventLine.meta({ id: "ExportedEvent" })).meta({ description: "One row per event; see /docs/export" }),
    cursor: about(z.string().nullable(), "Cursor of the next page; null when there are no more rows", "1732095000-42"),
  }),

  async run({ input: { from, to, cursor, limit }, site, now }) {
    if (from && to && from > to) throw invalidInput([{ path: "from", message: `is after to (${to}); swap them` }]);
    const startOf = (date: Temporal.PlainDate) => startOfDay(date, site.timezone);
    return exportPage(site.id, {
      cursor: cursor ?? null,
      start: from ? startOf(Temporal.PlainDate.from(from)) : new Date(0),
      end: to ? startOf(Temporal.PlainDate.from(to).add({ days: 1 })) : now,
      limit: limit ?? 100,
      now,
    });
  },
});
