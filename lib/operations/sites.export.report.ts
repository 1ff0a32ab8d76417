import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { keysOf, optionalParam, reportFields } from "@/lib/contract/fields";
import { REPORTS } from "@/lib/contract/reports";
import { invalidInput } from "@/lib/platform/errors";
import { downloadAddress, downloadShape, REPORT_FORMATS } from "@/lib/transfer/downloads";

const reports = keysOf(REPORTS);
const formats = keysOf(REPORT_FORMATS);
const { dashboard: _, ...fields } = reportFields;
const VALUE = "must be text, a number, true, false, a list or an object";

/** Days that a page would ignore without their counterpart. */
const PAIRS = [
  ["to", "from"],
  ["compare_from", "compare_to"],
  ["compare_to", "compare_from"],
] as const;

export default defineOperation({
  id: "sites.export.report",
  title: "Download a report as a file",
  about:
    "Returns an address where a report is as CSV, PDF or JSON, for ten minutes: the same file that owners download. GET it, such as with `curl -O -J`. Range, filters and `parameters` are those of the report's operation.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({
    ...fields,
    report: z.enum(reports, `must be one of ${reports.join(", ")}`).meta({ description: "The report" }),
    format: z
      .enum(formats, `must be ${formats.join(" or ")}`)
      .meta({ description: "csv: one table; pdf: all of the page on paper; json: the answer of the operation" }),
    table: optionalParam(z.string("must be text").max(64, "must have at most 64 characters")).meta({
      description: "For csv: the table; default the first one. An unknown one is refused with all names",
    }),
    parameters: optionalParam(z.record(z.string().max(64), z.json(VALUE), "must be an object of parameters")).meta({
      description: "Parameters of the report's own operation, such as `dimension` of analytics.explore",
      examples: [{ dimension: "country" }],
    }),
  }),
  example: { site_id: 1, report: "vitals", format: "pdf", period: "28d" },
  output: downloadShape,

  async run({ input: { site_id, report, format, table = null, parameters, ...view }, principal, now }) {
    for (const [name, other] of PAIRS)
      if (view[name] && !view[other]) throw invalidInput([{ path: name, message: `requires ${other}` }]);
    // What operations compare with by default differs from pages.
    const asked = { ...parameters, ...view, compare: view.compare ?? (view.compare_from ? null : "none") };
    const query = Object.fromEntries(
      Object.entries(asked).flatMap(([name, value]) =>
        value === undefined || value === null
          ? []
          : [[name, typeof value === "object" ? JSON.stringify(value) : `${value}`]],
      ),
    );
    const wanted = { report, format, table, query };
    return downloadAddress({ principal, siteId: site_id, wanted }, now);
  },
});
