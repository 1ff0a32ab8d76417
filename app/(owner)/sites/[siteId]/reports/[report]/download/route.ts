import { notFound } from "next/navigation";
import type { NextRequest } from "next/server";
import { principalOf, siteOrNotFound } from "@/app/(owner)/access";
import { attachment, fileFor } from "@/app/(owner)/attachment";
import { paramsOf } from "@/components/reports/filters";
import { csvOf } from "@/components/reports/parts/csv";
import { pdfOf } from "@/components/reports/pdf/report-pdf";
import { readView } from "@/components/reports/view";
import { execute } from "@/lib/gateway/execute";
import { inputOf, reportAt } from "../../registry";
import { onPaper } from "./paper";

interface Props {
  params: Promise<{ siteId: string; report: string }>;
}

/** Downloads a report: one of its tables as CSV, all of it as PDF, or the operation's whole response as JSON. */
export async function GET(request: NextRequest, { params }: Props): Promise<Response> {
  const { siteId, report: key } = await params;
  const { searchParams } = request.nextUrl;
  return fileFor(request, async (owner) => {
    const site = await siteOrNotFound(owner, siteId);
    const report = (await reportAt(key)) ?? notFound();
    const query = paramsOf(searchParams);
    const view = readView(query);
    const input = inputOf(report, site.site_id, view, query);
    const [now, { signal }] = [new Date(), request];
    const call = { principal: principalOf(owner), input, now, signal };
    const { data } = await execute(report.op, call);
    const { from, to } = (data as { meta: { from: string; to: string } }).meta;
    const name = (part: string) => `${site.domain}-${part}-${from.slice(0, 10)}-${to.slice(0, 10)}`;
    if (query.format === "json")
      return attachment(JSON.stringify(data, null, 2), "application/json", `${name(key)}.json`);
    if (query.format === "pdf") {
      const pdf = await pdfOf(await onPaper(owner, { report, site, view, answer: data, now, signal }));
      return attachment(pdf, "application/pdf", `${name(key)}.pdf`);
    }
    const sheet = report.sheets(data).find((one) => one.key === query.table) ?? notFound();
    return attachment(csvOf(sheet), "text/csv; charset=utf-8", `${name(`${key}-${sheet.key}`)}.csv`);
  });
}
