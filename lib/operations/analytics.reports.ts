import { z } from "zod";
import { scopeOf } from "@/lib/analytics/query/scope";
import { reportsWithData } from "@/lib/analytics/reports/reports-with-data";
import { defineOperation } from "@/lib/contract/define";
import { about, metaShape, reportFields } from "@/lib/contract/fields";
import { REPORTS, type ReportKey } from "@/lib/contract/reports";
import { db } from "@/lib/platform/db";
import { readPrivacy } from "@/lib/sites/privacy";
import { listExperiments } from "@/lib/sites/saved/experiments";

const keys = Object.keys(REPORTS) as [ReportKey, ...ReportKey[]];
const listOf = (description: string) => about(z.array(z.enum(keys)), description, ["realtime", "campaigns"]);

export default defineOperation({
  id: "analytics.reports",
  title: "Reports with data",
  about:
    "Returns which reports have something to show, so that you ask only those: site search needs searches, Web vitals need the full tracker.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject(reportFields),
  example: { site_id: 1, period: "28d" },
  output: z.object({
    meta: metaShape,
    reports: listOf("Reports with data in the range, in the order of the menu"),
    comparison: listOf("Those of the comparison range").nullable(),
  }),

  async run({ input, site, now }) {
    const { scope, before, meta } = await scopeOf(input, site, now);
    const [{ retention_salt }, experiments] = await Promise.all([readPrivacy(site.id), listExperiments(site.id, db())]);
    const known = { monthly: retention_salt, planned: experiments.length > 0 };
    const [reports, comparison] = await Promise.all([
      reportsWithData(scope, known),
      before && reportsWithData(before, known),
    ]);
    return { meta, reports, comparison };
  },
});
