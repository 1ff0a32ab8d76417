import { z } from "zod";
import { scopeOf } from "@/lib/analytics/query/scope";
import {
  type Conversions,
  conversionsOf,
  ENOUGH_CONVERTED,
  ENOUGH_EXPOSED,
  experimentResult,
  MISMATCH_BELOW,
  MOST_EXPERIMENTS,
  type Plan,
  type Shown,
  shownIn,
} from "@/lib/analytics/reports/experiments";
import { defineOperation } from "@/lib/contract/define";
import { about, metaShape, reportFields, untrusted } from "@/lib/contract/fields";
import { newestExperiments } from "@/lib/sites/saved/experiments";

const share = z.number().min(0).max(1);

const variantShape = z.object({
  variant: untrusted,
  control: about(z.boolean(), "Whether this is the control, with which the others are compared"),
  expected_share: about(share.nullable(), "Share of the weights; null for a variant that is not in the saved plan"),
  exposed: about(z.int(), "Visitors who saw this variant and no other of the experiment, within the range"),
  converted: about(z.int(), "Of these, visitors who converted strictly after they first saw it, within the range"),
  rate: about(share.nullable(), "Converted divided by exposed"),
  lift: about(
    z.number().nullable(),
    "Rate divided by the rate of the control, minus 1: 0.1 = 10 % higher; null while the control has no conversion",
  ),
  lift_interval: about(
    z.object({ low: z.number(), high: z.number() }).nullable(),
    "Central 95 % credible interval of the lift; the posterior of a rate is Beta(1 + converted, 1 + not converted)",
  ),
  probability_best: about(z.number().nullable(), "Probability that its rate is the highest, from the same posteriors"),
  expected_loss: about(z.number().nullable(), "Expected difference to the best rate: 0.01 = one percentage point"),
});

const experimentShape = z.object({
  experiment: untrusted.meta({ examples: ["checkout"] }),
  saved: about(
    z.boolean(),
    "Whether the experiment is planned. If not, the variants seen have equal weights, and the control is the variant named control, a or original, or else the first by name",
    true,
  ),
  goal: about(
    z.string().nullable(),
    "The goal or event that counts as conversion; if null, see `conversion_basis`",
    "Purchase",
  ),
  conversion_basis: about(
    z.enum(["goal", "goals", "events"]),
    "goal: the goal of the experiment; goals: any goal of the site; events: any counted event except refunds, for a site without goals",
  ),
  ended_at: z.iso.datetime().nullable(),
  exposed: about(z.int(), "Visitors of all listed variants", 412),
  excluded: about(z.int(), "Visitors who saw more than one variant; not in any other number"),
  variants: z.array(variantShape).meta({
    examples: [
      [
        {
          variant: "control",
          control: true,
          expected_share: 0.5,
          exposed: 206,
          converted: 18,
          rate: 0.09,
          lift: null,
          lift_interval: null,
          probability_best: 0.25,
          expected_loss: 0.021,
        },
        {
          variant: "one-page",
          control: false,
          expected_share: 0.5,
          exposed: 206,
          converted: 22,
          rate: 0.11,
          lift: 0.22,
          lift_interval: { low: -0.33, high: 1.22 },
          probability_best: 0.75,
          expected_loss: 0.002,
        },
      ],
    ],
  }),
  sample_ratio: about(
    z
      .object({
        chi_square: z.number(),
        p_value: z.number(),
        mismatch: about(
          z.boolean(),
          `p_value is below ${MISMATCH_BELOW}: the assignment or the tracking is broken, and the results are not reliable`,
        ),
      })
      .nullable(),
    "Pearson's chi-square test of `exposed` against the expected shares (sample ratio mismatch); null with fewer than two expected variants or no exposed visitors",
    { chi_square: 0, p_value: 1, mismatch: false },
  ),
  enough_data: about(
    z.boolean(),
    `Whether there are at least two variants, ${ENOUGH_EXPOSED} exposed visitors in each, and ${ENOUGH_CONVERTED} converted visitors in total`,
    true,
  ),
  missing: about(z.array(z.string()), "What is still missing, in sentences", []),
  truncated: about(z.boolean(), "Whether there are more variants"),
});

export default defineOperation({
  id: "analytics.experiments",
  title: "Experiments",
  about:
    "Conversion rates of the variants of each experiment, their uncertainty, and whether visitors were split as planned. Filters select exposures. Visitors are unique per local day, or across days with a user_id.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject(reportFields),
  example: { site_id: 1, period: "28d" },
  output: z.object({
    meta: metaShape,
    experiments: about(
      z.array(experimentShape),
      "Planned experiments first, then others; each by number of exposed visitors",
    ),
    comparison: about(
      z.array(experimentShape.nullable()).nullable(),
      "The comparison range: one entry for each of `experiments`, null if no visitor was exposed",
    ),
  }),

  async run({ input, site, now }) {
    const [{ scope, before, meta }, saved] = await Promise.all([
      scopeOf(input, site, now),
      newestExperiments(site.id, MOST_EXPERIMENTS + 1),
    ]);
    const plans = saved.slice(0, MOST_EXPERIMENTS);
    const conversions = await conversionsOf(site.id, plans);
    const shown = await shownIn(scope, conversions, null);
    const found = [...new Set([...shown.map(({ experiment }) => experiment), ...plans.map(({ name }) => name)])];
    const names = inOrder(found, plans).slice(0, MOST_EXPERIMENTS);
    const earlier = before && (await shownIn(before, conversions, names));
    const resultsOf = (from: Shown[]) => evaluate(names, from, plans, conversions);
    return {
      meta: {
        ...meta,
        conversion_unit: "visitors" as const,
        row_limit: MOST_EXPERIMENTS,
        truncated: Math.max(found.length, saved.length) > MOST_EXPERIMENTS,
      },
      experiments: await resultsOf(shown),
      comparison: earlier && (await resultsOf(earlier)).map((one) => (one.exposed + one.excluded > 0 ? one : null)),
    };
  },
});

/** Planned experiments first. */
const inOrder = (names: string[], plans: Plan[]): string[] => {
  const isSaved = (name: string) => plans.some((plan) => plan.name === name);
  return [...names.filter(isSaved), ...names.filter((name) => !isSaved(name))];
};

async function evaluate(names: string[], shown: Shown[], plans: Plan[], conversions: Conversions) {
  const experiments: z.input<typeof experimentShape>[] = [];
  for (const name of names) {
    const plan = plans.find((one) => one.name === name) ?? null;
    const result = await experimentResult(
      shown.filter(({ experiment }) => experiment === name),
      plan,
    );
    experiments.push({
      experiment: name,
      saved: plan !== null,
      goal: plan?.goal ?? null,
      conversion_basis: plan ? "goal" : conversions.otherwise.basis,
      ended_at: plan?.endedAt?.toISOString() ?? null,
      ...result,
    });
  }
  return experiments;
}
