import { z } from "zod";
import { type Scope, scopeOf } from "@/lib/analytics/query/scope";
import { progressOf } from "@/lib/analytics/reports/funnels";
import { defineOperation } from "@/lib/contract/define";
import { metaShape, reportFields } from "@/lib/contract/fields";
import type { Funnel } from "@/lib/contract/funnel-steps";
import { findFunnels, funnelField } from "@/lib/sites/saved/funnels";

const MAX_FUNNELS = 20;

const share = z.number().nullable();

export const stepFields = {
  name: z.string(),
  kind: z.enum(["page", "event"]),
  pattern: z.string(),
  visitors: z.int().meta({ description: "Visitors whose longest path through the funnel reached the step" }),
  conversion_from_first: share.meta({ description: "Of those who took the first step; null when nobody did" }),
  conversion_from_previous: share.meta({
    description: "Of those who reached the step before; null for the first step",
  }),
  drop_off: z
    .int()
    .meta({ description: "Visitors who reached the step before, and not this one; 0 for the first step" }),
  drop_off_rate: share.meta({ description: "drop_off of those who reached the step before; null for the first step" }),
};

export const totalFields = {
  entered: z.int().meta({
    description:
      "Visitors who took the first step in the range, each once per local day (over several days only user_id recognises them). Of all paths through the funnel that begin on that day the longest one counts: strictly later events, each step by an event of its own, the last one at most the window after the first, also after midnight or the end of the range. An event that is the same step in paths of several days counts once, on the day of the latest first step that leads to it, so that the numbers of days add up to those of their range. A comparison with a range that still grows ends at the same time of day, later steps too.",
  }),
  converted: z.int().meta({ description: "Those of them who reached the last step" }),
  conversion_rate: share,
};

export const aboutFields = {
  funnel_id: z.string().nullable().meta({ description: "null for a funnel that is written in the request" }),
  name: z.string(),
  window_minutes: z.int().meta({ description: "How long after the first step the last one still counts, inclusive" }),
};

export const aboutFunnel = ({ id, name, windowMinutes }: Funnel) => ({
  funnel_id: id,
  name,
  window_minutes: windowMinutes,
});

const progressShape = z.object({ ...totalFields, steps: z.array(z.object(stepFields)) });

export default defineOperation({
  id: "analytics.funnels",
  title: "Funnels",
  about:
    "How far visitors get through steps, strictly one after another, within a window from the first. A visitor counts on the day of the first step; a conversion counts once, for the latest first step that leads to it. Filters choose visits.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({ ...reportFields, funnel: funnelField }),
  example: { site_id: 1, period: "28d", funnel: "/pricing > event:Signup > /thanks" },
  output: z.object({
    meta: metaShape,
    funnels: z.array(progressShape.extend({ ...aboutFields, comparison: progressShape.nullable() })).meta({
      description: "The one that was asked for, or the saved ones by name",
    }),
  }),

  async run({ input, site, now }) {
    const { scope, before, meta } = await scopeOf(input, site, now);
    const { funnels, truncated } = await findFunnels(site.id, input.funnel, MAX_FUNNELS);
    const reports = [];
    // One after another: each query already uses every core.
    for (const funnel of funnels) reports.push(await reportOf(funnel, scope, before));
    return {
      meta: { ...meta, conversion_unit: "visitors" as const, row_limit: MAX_FUNNELS, truncated },
      funnels: reports,
    };
  },
});

const reportOf = async (funnel: Funnel, scope: Scope, before: Scope | null) => ({
  ...aboutFunnel(funnel),
  ...(await progressOf(scope, funnel)),
  comparison: before && (await progressOf(before, funnel)),
});
