import { z } from "zod";
import { scopeOf } from "@/lib/analytics/query/scope";
import { detailsOf, detailsShape } from "@/lib/analytics/reports/funnel-details";
import { aboutFields, aboutFunnel, funnelField, funnelsAsked } from "@/lib/analytics/reports/funnels";
import { defineOperation } from "@/lib/contract/define";
import { metaShape, questionFields } from "@/lib/contract/fields";

const MOST_FUNNELS = 5;

export default defineOperation({
  id: "analytics.funnels.advanced",
  title: "Funnels in depth",
  about:
    "A funnel with how long each step takes, what it earns, where those who got no further went, its course over time, and its steps by source, device and country. Visitors and chains are those of analytics.funnels.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({ ...questionFields, funnel: funnelField }),
  example: { site_id: 1, period: "28d", funnel: "/pricing > event:Signup > /thanks" },
  output: z.object({
    meta: metaShape,
    funnels: z.array(detailsShape.extend({ ...aboutFields, comparison: detailsShape.nullable() })).meta({
      description: `The one that was asked for, or the first ${MOST_FUNNELS} saved ones by name`,
    }),
  }),

  async run({ input, site, now }) {
    const { scope, before, meta } = await scopeOf(input, site, now);
    const { funnels, truncated } = await funnelsAsked(site.id, input.funnel, MOST_FUNNELS);
    const reports = [];
    for (const funnel of funnels) {
      const [details, comparison] = await Promise.all([detailsOf(scope, funnel), before && detailsOf(before, funnel)]);
      reports.push({ ...aboutFunnel(funnel), ...details, comparison });
    }
    return {
      meta: { ...meta, conversion_unit: "visitors" as const, row_limit: MOST_FUNNELS, truncated },
      funnels: reports,
    };
  },
});
