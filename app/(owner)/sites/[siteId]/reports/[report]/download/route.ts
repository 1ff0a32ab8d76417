import { notFound } from "next/navigation";
import type { NextRequest } from "next/server";
import { principalOf, query, siteOrNotFound } from "@/app/(owner)/access";
import { fileFor } from "@/app/(owner)/attachment";
import { paramsOf } from "@/components/reports/filters";
import sitesSegmentsList from "@/lib/operations/sites.segments.list";
import { reportAt } from "../../registry";
import { reportFile } from "../../report-file";

interface Props {
  params: Promise<{ siteId: string; report: string }>;
}

/** Downloads a report: one of its tables as CSV, all of it as PDF, or the operation's whole response as JSON. */
export async function GET(request: NextRequest, { params }: Props): Promise<Response> {
  const { siteId, report: key } = await params;
  return fileFor(request, async (owner) => {
    const site = await siteOrNotFound(owner, siteId);
    const report = (await reportAt(key)) ?? notFound();
    return reportFile({
      principal: principalOf(owner),
      site,
      ...{ key, report },
      query: paramsOf(request.nextUrl.searchParams),
      segments: async () => (await query(sitesSegmentsList, owner, { site_id: site.site_id })).segments,
      signal: request.signal,
    });
  });
}
