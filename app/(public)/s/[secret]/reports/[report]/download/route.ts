import { notFound } from "next/navigation";
import { orRefusedFile } from "@/app/_dashboard/answer";
import { attachment } from "@/app/(owner)/attachment";
import { inputOf, reportAt } from "@/app/(owner)/sites/[siteId]/reports/registry";
import { linkOfRequest, paramsOfLink, queryOfLink } from "@/app/(public)/_shared/links";
import { addressOf } from "@/app/(public)/_shared/public";
import { paramsOf } from "@/components/reports/filters";
import { csvOf } from "@/components/reports/parts/csv";
import { readView } from "@/components/reports/view";

interface Context {
  params: Promise<{ secret: string; report: string }>;
}

/** Downloads a report of a private link: one of its tables as CSV, or the whole answer as JSON. */
export const GET = (request: Request, { params }: Context): Promise<Response> =>
  orRefusedFile(async () => {
    const { secret, report: key } = await params;
    const opened = await linkOfRequest(secret, request);
    const report = (await reportAt(key)) ?? notFound();
    const query = paramsOfLink(opened.link.limits, paramsOf(new URL(request.url).searchParams));
    const view = readView(query);
    const as = queryOfLink(opened, { ip: addressOf(request), filters: view.filters });
    const input = inputOf(report, opened.site.site_id, view, query);
    const { data } = await as(report.op, { input, now: new Date(), signal: request.signal });
    const { from, to } = (data as { meta: { from: string; to: string } }).meta;
    const name = (part: string) => `${opened.site.domain}-${part}-${from.slice(0, 10)}-${to.slice(0, 10)}`;
    if (query.format === "json")
      return attachment(JSON.stringify(data, null, 2), "application/json", `${name(key)}.json`);
    const sheet = report.sheets(data).find((one) => one.key === query.table) ?? notFound();
    return attachment(csvOf(sheet), "text/csv; charset=utf-8", `${name(`${key}-${sheet.key}`)}.csv`);
  });
