import { notFound } from "next/navigation";
import { orRefusedFile } from "@/app/_dashboard/answer";
import { answerFile } from "@/app/(owner)/attachment";
import { inputOf, reportAt } from "@/app/(owner)/sites/[siteId]/reports/registry";
import { nameOfReport } from "@/app/(owner)/sites/[siteId]/reports/report-file";
import { linkOfRequest, paramsOfLink, queryOfLink } from "@/app/(public)/_shared/links";
import { addressOfCaller } from "@/app/(public)/_shared/public";
import { paramsOf } from "@/components/reports/filters";
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
    const as = queryOfLink(opened, { ip: addressOfCaller(request), filters: view.filters });
    const input = inputOf(report, opened.site.site_id, view, query);
    const { data } = await as(report.op, { input, now: new Date(), signal: request.signal });
    return answerFile(data, { query, sheets: report.sheets(data), key, name: nameOfReport(opened.site.domain, data) });
  });
