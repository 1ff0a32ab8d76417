import { z } from "zod";
import { MOST_STEPS } from "@/lib/analytics/query/paths";
import { scopeOf } from "@/lib/analytics/query/scope";
import {
  FLOW_STEPS,
  type Journeys,
  journeysOf,
  MOST_PATHS,
  MOST_PLACES,
  MOST_TRANSITIONS,
  readStart,
  withEvents,
} from "@/lib/analytics/reports/journeys";
import { defineOperation } from "@/lib/contract/define";
import { metaShape, optionalParam, reportFields, untrusted } from "@/lib/contract/fields";
import type { Funnel } from "@/lib/contract/funnel-steps";
import { aboutFields, aboutFunnel } from "@/lib/operations/analytics.funnels";
import { LONGEST_PATH } from "@/lib/platform/text";
import { findFunnel, funnelField } from "@/lib/sites/saved/funnels";

const place = z.object({ kind: z.enum(["page", "event", "exit", "other"]), value: untrusted.nullable() });
const PRICING = { kind: "page", value: "/pricing" } as const;
const SIGNUP = { kind: "page", value: "/signup" } as const;
const journeysShape = z.object({
  who: z.enum(["all", "finished", "left"]).meta({
    description:
      "all: all visits. With `funnel`: finished are visits whose funnel path reached the last step, left are the others",
  }),
  visits: z.int().meta({ examples: [40] }),
  paths: z
    .array(
      z.object({
        steps: z.array(place),
        visits: z.int(),
        ended: z
          .boolean()
          .meta({ description: `Whether the visit ended there; false when it had more than ${MOST_STEPS} steps` }),
      }),
    )
    .meta({
      description: `The ${MOST_PATHS} most common paths, and one of kind other for all the rest`,
      examples: [[{ steps: [PRICING, SIGNUP], visits: 12, ended: true }]],
    }),
  transitions: z.array(z.object({ from: place, to: place, visits: z.int() })).meta({
    description: `Visits that went from one step to the next, or left, within the first ${MOST_STEPS} steps: the ${MOST_TRANSITIONS} most common transitions, and one of kind other with the sum of the rest`,
    examples: [[{ from: PRICING, to: SIGNUP, visits: 14 }]],
  }),
  flows: z
    .array(
      z.object({
        step: z
          .int()
          .min(1)
          .max(FLOW_STEPS - 1),
        from: place,
        to: place,
        visits: z.int(),
      }),
    )
    .meta({
      description: `All visits from each of the first ${FLOW_STEPS} steps to the next one, or out. At each step the ${MOST_PLACES} places with the most visits are told apart; all the rest is of kind other, so the flows of step 1 add up to \`visits\``,
      examples: [[{ step: 1, from: PRICING, to: SIGNUP, visits: 12 }]],
    }),
});

export default defineOperation({
  id: "analytics.journeys",
  title: "Journeys",
  about:
    "The most common paths through the site and the transitions between steps, with consecutive repeats collapsed. Steps are pages and screens; events too, if `start` or `funnel` names one. A visit counts when it started.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({
    ...reportFields,
    funnel: funnelField,
    start: optionalParam(
      z.string("must be text").max(LONGEST_PATH, `must have at most ${LONGEST_PATH} characters`),
    ).meta({
      description:
        "Path of a page (with * and ** as in funnels) or event:<name>. Paths start where a visit first reaches it; visits that never reach it are left out",
      examples: ["/pricing"],
    }),
  }),
  example: { site_id: 1, period: "28d", start: "/pricing" },
  output: z.object({
    meta: metaShape,
    start: z.string().nullable(),
    funnel: z
      .object(aboutFields)
      .nullable()
      .meta({
        description:
          "Paths start with the first step of this funnel; a visit counts when it took that step, within the range",
        examples: [null],
      }),
    events: z.boolean().meta({ description: "Whether events are steps too" }),
    journeys: z.array(journeysShape),
    comparison: z.array(journeysShape).nullable(),
  }),

  async run({ input, site, now }) {
    const start = input.start ? readStart(input.start) : null;
    const { scope, before, meta } = await scopeOf(input, site, now);
    const funnel: Funnel | null = input.funnel ? await findFunnel(site.id, input.funnel) : null;
    const query = { start, funnel };
    const [journeys, comparison] = await Promise.all([
      journeysOf({ ...query, scope }),
      before && journeysOf({ ...query, scope: before }),
    ]);
    const more = journeys.some(({ other_paths, other_transitions }) => other_paths + other_transitions > 0);
    return {
      meta: { ...meta, row_limit: MOST_TRANSITIONS, truncated: more },
      start: input.start ?? null,
      funnel: funnel && aboutFunnel(funnel),
      events: withEvents(query),
      journeys: journeys.map(withOthers),
      comparison: comparison?.map(withOthers) ?? null,
    };
  },
});

const OTHER = { kind: "other" as const, value: null };

function withOthers({ other_paths, other_transitions, paths, transitions, ...journeys }: Journeys) {
  return {
    ...journeys,
    paths: [...paths, ...(other_paths > 0 ? [{ steps: [OTHER], visits: other_paths, ended: false }] : [])],
    transitions: [
      ...transitions,
      ...(other_transitions > 0 ? [{ from: OTHER, to: OTHER, visits: other_transitions }] : []),
    ],
  };
}
