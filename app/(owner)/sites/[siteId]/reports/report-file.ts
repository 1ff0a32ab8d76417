import { attachment } from "@/app/(owner)/attachment";
import type { Report } from "@/components/reports/definition";
import { csvOf } from "@/components/reports/parts/csv";
import { pdfOf } from "@/components/reports/pdf/report-pdf";
import { readView, type SearchParams } from "@/components/reports/view";
import type { Principal } from "@/lib/contract/define";
import type { SiteShape } from "@/lib/contract/fields";
import { execute } from "@/lib/gateway/execute";
import { Refusal } from "@/lib/platform/errors";
import { onPaper, type Segments } from "./paper";
import { askedGoal, inputOf } from "./registry";

interface Asked {
  principal: Principal;
  site: SiteShape;
  /** The last part of its page's path. */
  key: string;
  report: Report;
  /** The query of its page, with the `format` of the file and, for CSV, the `table`. */
  query: SearchParams;
  segments: Segments;
  signal: AbortSignal;
}

/**
 * Responds with a report as a file: one of its tables as CSV, all of it as PDF, or the operation's whole answer as JSON.
 *
 * @throws Refusal of the operation, and `not_found` for an unknown table
 */
export async function reportFile({ principal, site, key, report, query, segments, signal }: Asked): Promise<Response> {
  const view = readView(query);
  const input = inputOf(report, site.site_id, view, query);
  const now = new Date();
  const { data } = await execute(report.op, { principal, input, now, signal });
  const { from, to } = (data as { meta: { from: string; to: string } }).meta;
  const name = (part: string) => `${site.domain}-${part}-${from.slice(0, 10)}-${to.slice(0, 10)}`;
  if (query.format === "json")
    return attachment(JSON.stringify(data, null, 2), "application/json", `${name(key)}.json`);
  if (query.format === "pdf") {
    const goal = askedGoal(input);
    const pdf = await pdfOf(
      await onPaper(principal, { report, site, view, goal, answer: data, segments, now, signal }),
    );
    return attachment(pdf, "application/pdf", `${name(key)}.pdf`);
  }
  const sheets = report.sheets(data);
  const sheet = query.table === undefined ? sheets[0] : sheets.find((one) => one.key === query.table);
  if (!sheet) {
    const names = sheets.map((one) => one.key).join(", ");
    throw new Refusal("not_found", `The report has no table of this name; table must be one of ${names}.`);
  }
  return attachment(csvOf(sheet), "text/csv; charset=utf-8", `${name(`${key}-${sheet.key}`)}.csv`);
}
