import { orRefusal } from "@/app/_dashboard/answer";
import { exportFile } from "@/app/(owner)/attachment";
import { reportAt } from "@/app/(owner)/sites/[siteId]/reports/registry";
import { reportFile } from "@/app/(owner)/sites/[siteId]/reports/report-file";
import { openDownload } from "@/lib/api/downloads";
import { reportFields } from "@/lib/contract/fields";
import { requireScope } from "@/lib/gateway/execute";
import sitesExportDownload from "@/lib/operations/sites.export.download";
import { db } from "@/lib/platform/db";
import { invalidInput } from "@/lib/platform/errors";
import { refuseMethod } from "@/lib/platform/http/methods";
import { onOwnHost } from "@/lib/platform/http/require-own-host";
import { describeSegment, listSegments } from "@/lib/sites/saved/segments";
import { gone } from "@/lib/transfer/downloads";
import { exportEvents } from "@/lib/transfer/export";
import { exportTotals } from "@/lib/transfer/export-totals";

/** Downloads what an agent has asked for: all events of a site, or a report. The address is the only secret. */
export const GET = onOwnHost((request, { params }: { params: Promise<{ ticket: string }> }) =>
  orRefusal(async () => {
    const { signal } = request;
    const { principal, site, wanted } = await openDownload((await params).ticket, new Date());
    if ("events" in wanted || "imported" in wanted) {
      requireScope(sitesExportDownload, principal);
      const call = { principal, siteId: site.site_id, requestId: crypto.randomUUID(), now: new Date() };
      if ("imported" in wanted) return exportFile(await exportTotals(call, signal));
      return exportFile(await exportEvents(call, { format: wanted.events, after: wanted.after, signal }));
    }
    const { report: key, format, table, query } = wanted;
    const report = await reportAt(key);
    if (!report) throw gone();
    const known = { ...reportFields, ...report.op.input.shape };
    const unknown = Object.keys(query).filter((name) => !Object.hasOwn(known, name));
    if (unknown.length > 0) {
      const message = `is not a parameter of ${report.op.id}`;
      throw invalidInput(unknown.map((name) => ({ path: `parameters.${name}`, message })));
    }
    return reportFile({
      principal,
      site,
      ...{ key, report },
      query: { ...query, format, ...(table !== null && { table }) },
      segments: async () => (await listSegments(site.site_id, db())).map(describeSegment),
      signal,
    });
  }),
);

const refused = refuseMethod("GET");

export { refused as DELETE, refused as HEAD, refused as OPTIONS, refused as PATCH, refused as POST, refused as PUT };
