import { z } from "zod";
import { scopeOf } from "@/lib/analytics/query/scope";
import { DESTINATIONS, detailsOf, VALUES } from "@/lib/analytics/reports/funnels";
import { defineOperation } from "@/lib/contract/define";
import { metaShape, moneyShape, reportFields, untrusted } from "@/lib/contract/fields";
import { aboutFields, aboutFunnel, stepFields, totalFields } from "@/lib/operations/analytics.funnels";
import { findFunnels, funnelField } from "@/lib/sites/saved/funnels";

const MAX_FUNNELS = 5;

const seconds = z.number().nullable();
const quantiles = z.object({ p50: seconds, p75: seconds, p90: seconds });
const row = z.object({
  value: untrusted.nullable(),
  visitors: z.array(z.int()).meta({ description: "Visitors who reached each step, in step order" }),
});

const detailsShape = z.object({
  ...totalFields,
  steps: z.array(
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
  ),
  trend: z
    .array(z.object({ start: z.iso.datetime(), label: z.string(), entered: z.int(), converted: z.int() }))
    .meta({ description: "Visitors by the time of the first step" }),
  sources: z.array(row).meta({
    description: `Visitors by source of the visit with the first step, top ${VALUES}; devices and countries likewise`,
  }),
  devices: z.array(row),
  countries: z.array(row),
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

  async run({ input, site, now }) {
    const { scope, before, meta } = await scopeOf(input, site, now);
    const { funnels, truncated } = await findFunnels(site.id, input.funnel, MAX_FUNNELS);
    const reports = [];
    for (const funnel of funnels) {
      const [details, comparison] = await Promise.all([detailsOf(scope, funnel), before && detailsOf(before, funnel)]);
      reports.push({ ...aboutFunnel(funnel), ...details, comparison });
    }
    return {
      meta: { ...meta, conversion_unit: "visitors" as const, row_limit: MAX_FUNNELS, truncated },
      funnels: reports,
    };
  },
});
