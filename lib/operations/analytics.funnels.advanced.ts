import { z } from "zod";
import { BREAKDOWN_VALUES, DESTINATIONS, detailsOf } from "@/lib/analytics/reports/funnels";
import { defineOperation } from "@/lib/contract/define";
import { about, euros, metaShape, moneyShape, reportFields, untrusted } from "@/lib/contract/fields";
import { aboutFields, answerFunnels, EXAMPLE_STEPS, stepFields, totalFields } from "@/lib/operations/analytics.funnels";
import { funnelField } from "@/lib/sites/saved/funnels";

const MAX_FUNNELS = 5;

const seconds = z.number().nullable();
const quantiles = z.object({ p50: seconds, p75: seconds, p90: seconds });
const row = z.object({
  value: untrusted.nullable(),
  visitors: z.array(z.int()).meta({ description: "Visitors who reached each step, in step order" }),
});

/** What each of `EXAMPLE_STEPS` has beside it. */
const EXAMPLE_STEPS_IN_DETAIL = [
  {
    seconds_from_previous: { p50: null, p75: null, p90: null },
    seconds_from_first: { p50: 0, p75: 0, p90: 0 },
    left_to: [
      { kind: "page" as const, value: "/docs", visitors: 40 },
      { kind: "exit" as const, value: null, visitors: 48 },
    ],
  },
  {
    seconds_from_previous: { p50: 210, p75: 460, p90: 980 },
    seconds_from_first: { p50: 210, p75: 460, p90: 980 },
    left_to: [{ kind: "exit" as const, value: null, visitors: 30 }],
  },
  {
    seconds_from_previous: { p50: 12, p75: 30, p90: 64 },
    seconds_from_first: { p50: 230, p75: 490, p90: 1030 },
    left_to: [],
  },
].map((details, index) => ({
  ...(EXAMPLE_STEPS[index] as (typeof EXAMPLE_STEPS)[number]),
  revenue: euros("0.00"),
  ...details,
}));

const detailsShape = z.object({
  ...totalFields,
  steps: z
    .array(
      z.object({
        ...stepFields,
        seconds_from_previous: quantiles.meta({
          description:
            "Times of the funnel paths that reached the step; null for the first step and when no visitor reached it",
        }),
        seconds_from_first: quantiles,
        revenue: moneyShape.meta({ description: "Revenue of the events that reached the step" }),
        left_to: z
          .array(z.object({ kind: z.enum(["page", "event", "exit"]), value: untrusted.nullable(), visitors: z.int() }))
          .meta({
            description: `Where visitors who dropped off went: the next page or event of the visit other than this step (the ${DESTINATIONS} most frequent), or exit if the visit had none; empty for the last step`,
          }),
      }),
    )
    .meta({ examples: [EXAMPLE_STEPS_IN_DETAIL] }),
  trend: about(
    z.array(z.object({ start: z.iso.datetime(), label: z.string(), entered: z.int(), converted: z.int() })),
    "Visitors by the time of the first step",
    [{ start: "2026-11-19T23:00:00Z", label: "2026-11-20", entered: 6, converted: 1 }],
  ),
  sources: about(
    z.array(row),
    `Visitors by source of the visit with the first step, top ${BREAKDOWN_VALUES}; devices and countries likewise`,
    [{ value: "Google", visitors: [46, 18, 5] }],
  ),
  devices: z.array(row).meta({ examples: [[{ value: "Desktop", visitors: [90, 31, 8] }]] }),
  countries: z.array(row).meta({ examples: [[{ value: "DE", visitors: [70, 22, 6] }]] }),
});

export default defineOperation({
  id: "analytics.funnels.advanced",
  title: "Advanced funnels",
  about:
    "A funnel with time and revenue per step, where visitors went after dropping off, its trend, and its steps by source, device and country. Visitors are counted as in analytics.funnels.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({ ...reportFields, funnel: funnelField }),
  example: { site_id: 1, period: "28d", funnel: "/pricing > event:Signup > /thanks" },
  output: z.object({
    meta: metaShape,
    funnels: z.array(detailsShape.extend({ ...aboutFields, comparison: detailsShape.nullable() })).meta({
      description: `The requested funnel, or the first ${MAX_FUNNELS} saved funnels by name`,
    }),
  }),

  run: (work) =>
    answerFunnels(work, MAX_FUNNELS, async (funnel, scope, before) => {
      const [details, comparison] = await Promise.all([detailsOf(scope, funnel), before && detailsOf(before, funnel)]);
      return { ...details, comparison };
    }),
});
