import { z } from "zod";
import { type Scope, scopeOf } from "@/lib/analytics/query/scope";
import { progressOf } from "@/lib/analytics/reports/funnels";
import { defineOperation, type SiteAccess } from "@/lib/contract/define";
import { about, metaShape, type ReportQuery, reportFields } from "@/lib/contract/fields";
import type { Funnel } from "@/lib/contract/funnel-steps";
import { findFunnels, funnelField } from "@/lib/sites/saved/funnels";

const MAX_FUNNELS = 20;

const share = z.number().nullable();

export const stepFields = {
  name: z.string(),
  kind: z.enum(["page", "event"]),
  pattern: z.string(),
  visitors: z.int().meta({ description: "Visitors whose longest path through the funnel reached the step" }),
  conversion_from_first: share.meta({
    description: "Share of visitors who took the first step; null without such visitors",
  }),
  conversion_from_previous: share.meta({
    description: "Share of visitors who reached the previous step; null for the first step",
  }),
  drop_off: z
    .int()
    .meta({ description: "Visitors who reached the previous step but not this one; 0 for the first step" }),
  drop_off_rate: share.meta({
    description: "drop_off divided by the visitors of the previous step; null for the first step",
  }),
};

export const totalFields = {
  entered: about(
    z.int(),
    "Visitors who took the first step in the range, once per local day (only a user_id is recognised across days). The longest path that starts on that day counts: each step is a separate, strictly later event, and the last one is within the window after the first, even after midnight or the end of the range. If paths of several days share the event of a step, it counts once, on the day of the latest first step, so that days add up to the range. The comparison of an unfinished range ends at the same time of day, including later steps.",
    128,
  ),
  converted: about(z.int(), "Of these, visitors who reached the last step", 10),
  conversion_rate: share.meta({ examples: [0.08] }),
};

export const aboutFields = {
  funnel_id: z.string().nullable().meta({ description: "null for a funnel given as text in the request" }),
  name: z.string().meta({ examples: ["/pricing > event:Signup > /thanks"] }),
  window_minutes: about(z.int(), "Maximum minutes from the first to the last step, inclusive", 1440),
};

export const aboutFunnel = ({ id, name, windowMinutes }: Funnel) => ({
  funnel_id: id,
  name,
  window_minutes: windowMinutes,
});

interface Asked {
  input: ReportQuery & { funnel?: string | null | undefined };
  site: SiteAccess;
  now: Date;
}

/** Answers with the report of the named funnel, or of the saved ones, at most `limit`. */
export async function answerFunnels<Report extends object>(
  { input, site, now }: Asked,
  limit: number,
  reportOf: (funnel: Funnel, scope: Scope, before: Scope | null) => Promise<Report>,
) {
  const { scope, before, meta } = await scopeOf(input, site, now);
  const { funnels, truncated } = await findFunnels(site.id, input.funnel, limit);
  const reports = [];
  // Sequential, because each query already uses every core.
  for (const funnel of funnels) reports.push({ ...aboutFunnel(funnel), ...(await reportOf(funnel, scope, before)) });
  return { meta: { ...meta, conversion_unit: "visitors" as const, row_limit: limit, truncated }, funnels: reports };
}

/** The steps of the example `/pricing > event:Signup > /thanks`. */
export const EXAMPLE_STEPS: z.input<z.ZodObject<typeof stepFields>>[] = [
  {
    name: "/pricing",
    kind: "page",
    pattern: "/pricing",
    visitors: 128,
    conversion_from_first: 1,
    conversion_from_previous: null,
    drop_off: 0,
    drop_off_rate: null,
  },
  {
    name: "Signup",
    kind: "event",
    pattern: "Signup",
    visitors: 40,
    conversion_from_first: 0.31,
    conversion_from_previous: 0.31,
    drop_off: 88,
    drop_off_rate: 0.69,
  },
  {
    name: "/thanks",
    kind: "page",
    pattern: "/thanks",
    visitors: 10,
    conversion_from_first: 0.08,
    conversion_from_previous: 0.25,
    drop_off: 30,
    drop_off_rate: 0.75,
  },
];

const progressShape = z.object({
  ...totalFields,
  steps: z.array(z.object(stepFields)).meta({ examples: [EXAMPLE_STEPS] }),
});

export default defineOperation({
  id: "analytics.funnels",
  title: "Funnels",
  about:
    "How many visitors take each step of a funnel, in strict order and within a time window from the first step. A visitor counts on the day of the first step; a conversion counts once, for the latest possible first step. Filters select visits.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({ ...reportFields, funnel: funnelField }),
  example: { site_id: 1, period: "28d", funnel: "/pricing > event:Signup > /thanks" },
  output: z.object({
    meta: metaShape,
    funnels: z.array(progressShape.extend({ ...aboutFields, comparison: progressShape.nullable() })).meta({
      description: "The requested funnel, or the saved funnels by name",
    }),
  }),

  run: (work) =>
    answerFunnels(work, MAX_FUNNELS, async (funnel, scope, before) => ({
      ...(await progressOf(scope, funnel)),
      comparison: before && (await progressOf(before, funnel)),
    })),
});
