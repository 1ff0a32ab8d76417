import { answerFile, attachment } from "@/app/(owner)/attachment";
import type { Report } from "@/components/reports/definition";
import { pdfOf } from "@/components/reports/pdf/report-pdf";
import { readView, type SearchParams } from "@/components/reports/view";
import type { Principal } from "@/lib/contract/define";
import type { SiteShape } from "@/lib/contract/fields";
import { execute } from "@/lib/gateway/execute";
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
  const name = nameOfReport(site.domain, data);
  if (query.format === "pdf") {
    const goal = askedGoal(input);
    const pdf = await pdfOf(
      await onPaper(principal, { report, site, view, goal, answer: data, segments, now, signal }),
    );
    return attachment(pdf, "application/pdf", `${name(key)}.pdf`);
  }
  return answerFile(data, { query, sheets: report.sheets(data), key, name });
}

/** Returns what names a file of a report, by what is in it: the domain and the days of the answer. */
export const nameOfReport = (domain: string, answer: unknown) => {
  const { from, to } = (answer as { meta: { from: string; to: string } }).meta;
  return (part: string) => `${domain}-${part}-${from.slice(0, 10)}-${to.slice(0, 10)}`;
};
