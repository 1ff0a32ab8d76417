import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { keysOf, optionalParam, reportFields } from "@/lib/contract/fields";
import { REPORTS } from "@/lib/contract/reports";
import { invalidInput } from "@/lib/platform/errors";
import { msg } from "@/lib/texts/translate";
import { downloadAddress, downloadShape, REPORT_FORMATS } from "@/lib/transfer/downloads";

const reports = keysOf(REPORTS);
const formats = keysOf(REPORT_FORMATS);
const { dashboard: _, ...fields } = reportFields;

/** Days that a page would ignore without their counterpart. */
const PAIRS = [
  ["to", "from"],
  ["compare_from", "compare_to"],
  ["compare_to", "compare_from"],
] as const;

export default defineOperation({
  id: "sites.export.report",
  title: msg("Download a report as a file"),
  about:
    "Returns the address of a report as a file, like sites.export.download. Range and filters are those of reports.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({
    ...fields,
    report: z.enum(reports, `must be one of ${reports.join(", ")}`),
    format: z
      .enum(formats, `must be ${formats.join(" or ")}`)
      .meta({ description: "csv: one table; pdf: all tables; json: the answer of the operation" }),
    table: optionalParam(z.string("must be text").max(64, "must have at most 64 characters")).meta({
      description: "For csv; default the first one. A refusal names all",
    }),
    parameters: optionalParam(z.record(z.string().max(64), z.unknown(), "must be an object of parameters")).meta({
      description: "Others of its operation",
      examples: [{ dimensions: "country" }],
    }),
  }),
  example: { site_id: 1, report: "vitals", format: "pdf", period: "28d" },
  output: downloadShape,

  async run({ input: { site_id, report, format, table = null, parameters, ...view }, principal, now }) {
    for (const [name, other] of PAIRS)
      if (view[name] && !view[other]) throw invalidInput([{ path: name, message: `requires ${other}` }]);
    // A page ignores what it cannot read, so these are checked where they belong.
    const misplaced = Object.keys(parameters ?? {}).filter((name) => Object.hasOwn(reportFields, name));
    if (misplaced.length > 0) {
      const message = "is a field of every report; send it beside parameters";
      throw invalidInput(misplaced.map((name) => ({ path: `parameters.${name}`, message })));
    }
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
