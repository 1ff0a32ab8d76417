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
  visitors: z.array(z.int()).meta({ description: "Visitors who reached each step, in the order of the steps" }),
});

const detailsShape = z.object({
  ...totalFields,
  steps: z.array(
    z.object({
      ...stepFields,
      seconds_from_previous: quantiles.meta({
        description: "Of the funnel paths that reached the step; null for the first one, or when nobody did",
      }),
      seconds_from_first: quantiles,
      revenue: moneyShape.meta({ description: "Of the events by which the step was taken" }),
      left_to: z
        .array(z.object({ kind: z.enum(["page", "event", "exit"]), value: untrusted.nullable(), visitors: z.int() }))
        .meta({
          description: `Of those who got no further: the next page or event of the visit that is not this step again, the ${DESTINATIONS} most frequent ones, and exit for those whose visit had none; empty for the last step`,
        }),
    }),
  ),
  trend: z
    .array(z.object({ start: z.iso.datetime(), label: z.string(), entered: z.int(), converted: z.int() }))
    .meta({ description: "By the time of the first step" }),
  sources: z
    .array(row)
    .meta({ description: `Of the visit of the first step, as are devices and countries; top ${VALUES}` }),
  devices: z.array(row),
  countries: z.array(row),
});

export default defineOperation({
  id: "analytics.funnels.advanced",
  title: "Funnels in depth",
  about:
    "A funnel with how long each step takes, what it earns, where those who got no further went, its trend, and its steps by source, device and country. Visitors and funnel paths are those of analytics.funnels.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({ ...reportFields, funnel: funnelField }),
  example: { site_id: 1, period: "28d", funnel: "/pricing > event:Signup > /thanks" },
  output: z.object({
    meta: metaShape,
    funnels: z.array(detailsShape.extend({ ...aboutFields, comparison: detailsShape.nullable() })).meta({
      description: `The one that was asked for, or the first ${MAX_FUNNELS} saved ones by name`,
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
