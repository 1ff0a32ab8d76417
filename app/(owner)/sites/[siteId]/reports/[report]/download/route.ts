import { notFound } from "next/navigation";
import type { NextRequest } from "next/server";
import { principalOf, siteOrNotFound } from "@/app/(owner)/access";
import { attachment, fileFor } from "@/app/(owner)/attachment";
import { paramsOf } from "@/components/reports/filters";
import { csvOf } from "@/components/reports/parts/csv";
import { readView } from "@/components/reports/view";
import { execute } from "@/lib/gateway/execute";
import { inputOf, reportAt } from "../../registry";

interface Props {
  params: Promise<{ siteId: string; report: string }>;
}

/** Downloads a report: one of its tables as CSV, or the operation's whole response as JSON. */
export async function GET(request: NextRequest, { params }: Props): Promise<Response> {
  const { siteId, report: key } = await params;
  const { searchParams } = request.nextUrl;
  return fileFor(request, async (owner) => {
    const site = await siteOrNotFound(owner, siteId);
    const report = (await reportAt(key)) ?? notFound();
    const query = paramsOf(searchParams);
    const input = inputOf(report, site.site_id, readView(query), query);
    const call = { principal: principalOf(owner), input, now: new Date(), signal: request.signal };
    const { data } = await execute(report.op, call);
    const { from, to } = (data as { meta: { from: string; to: string } }).meta;
    const name = (part: string) => `${site.domain}-${part}-${from.slice(0, 10)}-${to.slice(0, 10)}`;
    if (query.format === "json")
      return attachment(JSON.stringify(data, null, 2), "application/json", `${name(key)}.json`);
    const sheet = report.sheets(data).find((one) => one.key === query.table) ?? notFound();
    return attachment(csvOf(sheet), "text/csv; charset=utf-8", `${name(`${key}-${sheet.key}`)}.csv`);
  });
}
