import { z } from "zod";
import { scopeOf } from "@/lib/analytics/query/scope";
import { reportsWithData } from "@/lib/analytics/reports/reports-with-data";
import { defineOperation } from "@/lib/contract/define";
import { about, metaShape, reportFields } from "@/lib/contract/fields";
import { REPORTS, type ReportKey } from "@/lib/contract/reports";
import { db } from "@/lib/platform/db";
import { listExperiments } from "@/lib/sites/saved/experiments";

const keys = Object.keys(REPORTS) as [ReportKey, ...ReportKey[]];
const { compare: _, compare_from: __, compare_to: ___, ...oneRange } = reportFields;

export default defineOperation({
  id: "analytics.reports",
  title: "Reports with data",
  about:
    "Returns which reports have something to show, so that you ask only those: site search needs searches, Web vitals need the full tracker.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject(oneRange),
  example: { site_id: 1, period: "28d" },
  output: z.object({
    meta: metaShape,
    reports: about(z.array(z.enum(keys)), "Reports with data in the range, in the order of the menu", [
      "realtime",
      "campaigns",
    ]),
  }),

  async run({ input, site, now }) {
    const { scope, meta } = await scopeOf(input, site, now);
    const [{ retentionSalt }, experiments] = await Promise.all([
      db().site.findUniqueOrThrow({ where: { id: site.id }, select: { retentionSalt: true } }),
      listExperiments(site.id, db()),
    ]);
    return {
      meta,
      reports: await reportsWithData(scope, { monthly: retentionSalt, planned: experiments.length > 0 }),
    };
  },
});
