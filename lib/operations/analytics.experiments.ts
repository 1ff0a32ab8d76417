import { z } from "zod";
import { scopeOf } from "@/lib/analytics/query/scope";
import {
  type Conversions,
  conversionsOf,
  ENOUGH_CONVERTED,
  ENOUGH_EXPOSED,
  judge,
  MISMATCH_BELOW,
  MOST_EXPERIMENTS,
  type Plan,
  type Shown,
  shownIn,
} from "@/lib/analytics/reports/experiments";
import { defineOperation } from "@/lib/contract/define";
import { metaShape, reportFields, untrusted } from "@/lib/contract/fields";
import { newestExperiments } from "@/lib/sites/saved/experiments";

const about = <T extends z.ZodType>(type: T, description: string) => type.meta({ description });
const share = z.number().min(0).max(1);

const variantShape = z.object({
  variant: untrusted,
  control: about(z.boolean(), "What the others are compared with"),
  expected_share: about(
    share.nullable(),
    "Its share of the weights; null for a variant that the saved experiment does not name",
  ),
  exposed: about(z.int(), "Visitors who were shown this variant and no other of the experiment, within the range"),
  converted: about(
    z.int(),
    "Of these, visitors who converted strictly after they were first shown it, within the range",
  ),
  rate: about(share.nullable(), "Converted divided by exposed"),
  lift: about(
    z.number().nullable(),
    "The rate relative to the control's, less 1: 0.1 = 10 % higher; null while the control has no conversion",
  ),
  lift_interval: about(
    z.object({ low: z.number(), high: z.number() }).nullable(),
    "The central 95 % credible interval of the lift, from rates believed to be Beta(1 + converted, 1 + not converted)",
  ),
  probability_best: about(z.number().nullable(), "The probability that its rate is the highest, by the same belief"),
  expected_loss: about(
    z.number().nullable(),
    "How much lower its rate is expected to be than the best one: 0.01 = one point",
  ),
});

const experimentShape = z.object({
  experiment: untrusted,
  saved: about(
    z.boolean(),
    "Whether the site has saved it; if not, equal shares of the variants seen are assumed, and the control is the one called control, a or original, or else the first by name",
  ),
  goal: about(z.string().nullable(), "The goal or event that converts; null: what `conversion_basis` says"),
  conversion_basis: about(
    z.enum(["goal", "goals", "events"]),
    "goal: the experiment's own; goals: any goal of the site; events: any counted event but refunds, for a site without goals",
  ),
  ended_at: z.iso.datetime().nullable(),
  exposed: about(z.int(), "Visitors of all variants told here"),
  excluded: about(z.int(), "Visitors who were shown more than one variant, in no other number"),
  variants: z.array(variantShape),
  sample_ratio: about(
    z
      .object({
        chi_square: z.number(),
        p_value: z.number(),
        mismatch: about(
          z.boolean(),
          `p_value is below ${MISMATCH_BELOW}: the assignment or the counting is broken, and the results say nothing`,
        ),
      })
      .nullable(),
    "Pearson's chi-square test of `exposed` against the expected shares; null with fewer than two expected variants or nobody exposed",
  ),
  enough_data: about(
    z.boolean(),
    `At least two variants, ${ENOUGH_EXPOSED} exposed visitors in each, and ${ENOUGH_CONVERTED} converted in all`,
  ),
  missing: about(z.array(z.string()), "What is not enough, in sentences"),
  truncated: about(z.boolean(), "There are more variants than these"),
});

export default defineOperation({
  id: "analytics.experiments",
  title: "Experiments",
  about:
    "How the variants of each experiment convert, how sure that is, and whether visitors were split as planned. Filters choose exposures. A visitor is one within a local day, or for good with a user_id.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject(reportFields),
  example: { site_id: 1, period: "28d" },
  output: z.object({
    meta: metaShape,
    experiments: about(z.array(experimentShape), "The saved ones, the most shown first; then others that were seen"),
    comparison: about(
      z.array(experimentShape.nullable()).nullable(),
      "The comparison range: an experiment beside each of `experiments`, null where nobody was exposed",
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
    const told = (from: Shown[]) => tell(names, from, plans, conversions);
    return {
      meta: {
        ...meta,
        conversion_unit: "visitors" as const,
        row_limit: MOST_EXPERIMENTS,
        truncated: Math.max(found.length, saved.length) > MOST_EXPERIMENTS,
      },
      experiments: await told(shown),
      comparison: earlier && (await told(earlier)).map((one) => (one.exposed + one.excluded > 0 ? one : null)),
    };
  },
});

/** Saved ones before others. */
const inOrder = (names: string[], plans: Plan[]): string[] => {
  const isSaved = (name: string) => plans.some((plan) => plan.name === name);
  return [...names.filter(isSaved), ...names.filter((name) => !isSaved(name))];
};

async function tell(names: string[], shown: Shown[], plans: Plan[], conversions: Conversions) {
  const told: z.input<typeof experimentShape>[] = [];
  for (const name of names) {
    const plan = plans.find((one) => one.name === name) ?? null;
    const result = await judge(
      shown.filter(({ experiment }) => experiment === name),
      plan,
    );
    told.push({
      experiment: name,
      saved: plan !== null,
      goal: plan?.goal ?? null,
      conversion_basis: plan ? "goal" : conversions.otherwise.basis,
      ended_at: plan?.endedAt?.toISOString() ?? null,
      ...result,
    });
  }
  return told;
}
