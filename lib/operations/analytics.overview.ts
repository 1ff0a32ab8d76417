import { z } from "zod";
import { isPublicDimension } from "@/lib/analytics/query/dimensions";
import { changeOf, changeShape, countIfKnown, metricsOf, metricsShape } from "@/lib/analytics/query/metrics";
import { scopeOf } from "@/lib/analytics/query/scope";
import { sumsOf } from "@/lib/analytics/query/scope-sums";
import { overviewOf, PANELS } from "@/lib/analytics/reports/overview";
import { defineOperation, isPublicViewer, type Principal } from "@/lib/contract/define";
import { metaShape, reportFields, untrusted } from "@/lib/contract/fields";

const panelShape = z.array(
  z.object({
    value: untrusted.nullable(),
    visitors: z.int(),
    visits: countIfKnown("visits"),
    pageviews: countIfKnown("pageviews").optional(),
  }),
);

const PANEL_ROWS = 10;

export default defineOperation({
  id: "analytics.overview",
  title: "Overview",
  about: "The headline metrics of a range, their change, and the ten values with the most visitors in every panel.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject(reportFields),
  example: { site_id: 1, period: "28d", compare: "previous_period" },
  output: z.object({
    meta: metaShape,
    metrics: metricsShape,
    previous: metricsShape.nullable(),
    change: changeShape.nullable(),
    panels: z.object(
      Object.fromEntries(Object.keys(PANELS).map((key) => [key, panelShape])) as Record<
        keyof typeof PANELS,
        typeof panelShape
      >,
    ),
  }),

  async run({ input, principal, site, now }) {
    const { scope, before, meta } = await scopeOf(input, site, now);
    const [{ sums, panels }, sumsBefore] = await Promise.all([overviewOf(scope, PANEL_ROWS), before && sumsOf(before)]);
    const [metrics, previous] = [metricsOf(sums), sumsBefore && metricsOf(sumsBefore)];
    return {
      meta,
      metrics,
      previous,
      change: previous && changeOf(metrics, previous),
      panels: shownTo(principal, panels),
    };
  },
});

/** Empties the lists that a public dashboard does not show. */
const shownTo = <Panels extends Record<keyof typeof PANELS, unknown[]>>(
  principal: Principal,
  panels: Panels,
): Panels =>
  isPublicViewer(principal)
    ? (Object.fromEntries(
        Object.entries(panels).map(([key, rows]) => [
          key,
          isPublicDimension(PANELS[key as keyof typeof PANELS]) ? rows : [],
        ]),
      ) as Panels)
    : panels;
