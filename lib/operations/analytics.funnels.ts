import { z } from "zod";
import { type Scope, scopeOf } from "@/lib/analytics/query/scope";
import {
  aboutFields,
  aboutFunnel,
  type Funnel,
  funnelField,
  funnelsAsked,
  progressOf,
  progressShape,
} from "@/lib/analytics/reports/funnels";
import { defineOperation } from "@/lib/contract/define";
import { metaShape, questionFields } from "@/lib/contract/fields";

const MOST_FUNNELS = 20;

export default defineOperation({
  id: "analytics.funnels",
  title: "Funnels",
  about:
    "How far visitors get through steps, strictly one after another, within a window from the first. A visitor counts on the day of the first step; a conversion counts once, for the latest first step that leads to it. Filters choose visits.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({ ...questionFields, funnel: funnelField }),
  example: { site_id: 1, period: "28d", funnel: "/pricing > event:Signup > /thanks" },
  output: z.object({
    meta: metaShape,
    funnels: z.array(progressShape.extend({ ...aboutFields, comparison: progressShape.nullable() })).meta({
      description: "The one that was asked for, or the saved ones by name",
    }),
  }),

  async run({ input, site, now }) {
    const { scope, before, meta } = await scopeOf(input, site, now);
    const { funnels, truncated } = await funnelsAsked(site.id, input.funnel, MOST_FUNNELS);
    const reports = [];
    // One after another: each query already uses every core.
    for (const funnel of funnels) reports.push(await reportOf(funnel, scope, before));
    return {
      meta: { ...meta, conversion_unit: "visitors" as const, row_limit: MOST_FUNNELS, truncated },
      funnels: reports,
    };
  },
});

const reportOf = async (funnel: Funnel, scope: Scope, before: Scope | null) => ({
  ...aboutFunnel(funnel),
  ...(await progressOf(scope, funnel)),
  comparison: before && (await progressOf(before, funnel)),
});
