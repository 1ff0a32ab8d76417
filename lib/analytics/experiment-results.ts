import { setImmediate as breathe } from "node:timers/promises";
import type { Plan, Shown } from "@/lib/analytics/experiments";
import { MOST_VARIANTS } from "@/lib/analytics/experiments";
import { type Counts, goodnessOfFit, liftInterval, ready, standings } from "@/lib/analytics/stats";

/** What the counts of an experiment say. */

/** Below this p-value the sample ratio counts as mismatched: Kohavi, Tang and Xu (2020), chapter 21. */
export const MISMATCH_BELOW = 0.001;
/** What an experiment needs before anybody should read it: visitors in each variant, and conversions in all together. */
export const ENOUGH_EXPOSED = 100;
export const ENOUGH_CONVERTED = 10;

export interface VariantResult extends Counts {
  variant: string;
  control: boolean;
  expected_share: number | null;
  rate: number | null;
  lift: number | null;
  lift_interval: { low: number; high: number } | null;
  probability_best: number | null;
  expected_loss: number | null;
}

export interface Result {
  exposed: number;
  excluded: number;
  variants: VariantResult[];
  sample_ratio: { chi_square: number; p_value: number; mismatch: boolean } | null;
  enough_data: boolean;
  missing: string[];
  truncated: boolean;
}

interface Variant extends Counts {
  name: string;
  /** Its weight in the plan; null when it is none of the plan's. */
  weight: number | null;
}

/** Judges one experiment by the rows of its variants, the excluded ones' among them. */
export async function judge(shown: readonly Shown[], plan: Plan | null): Promise<Result> {
  await ready();
  // The integrals take milliseconds each: between experiments others may be answered.
  await breathe();
  const all = variantsOf(shown, plan);
  const variants = all.slice(0, MOST_VARIANTS);
  const fit = goodnessOfFit(variants.map(({ exposed, weight }) => ({ count: exposed, share: weight ?? 0 })));
  const missing = missingOf(variants);
  return {
    exposed: variants.reduce((sum, { exposed }) => sum + exposed, 0),
    excluded: shown.find(({ variant }) => variant === null)?.exposed ?? 0,
    variants: resultsOf(variants),
    sample_ratio: fit && {
      chi_square: fit.statistic,
      p_value: fit.pValue,
      mismatch: fit.pValue < MISMATCH_BELOW,
    },
    enough_data: missing.length === 0,
    missing,
    truncated: all.length > variants.length,
  };
}

/** The control first, then the others: as planned, or by name; what no plan knows comes last. */
function variantsOf(shown: readonly Shown[], plan: Plan | null): Variant[] {
  const seen = shown.flatMap(({ variant, exposed, converted }) =>
    variant === null ? [] : [{ name: variant, exposed, converted }],
  );
  seen.sort((one, other) => (one.name < other.name ? -1 : 1));
  if (!plan) {
    const control = seen.find(({ name }) => /^(control|a|original)$/i.test(name)) ?? seen[0];
    const ordered = [...seen.filter((one) => one === control), ...seen.filter((one) => one !== control)];
    return ordered.map((one) => ({ ...one, weight: 1 }));
  }
  const planned = plan.variants.map(({ name, weight }) => {
    const { exposed = 0, converted = 0 } = seen.find((one) => one.name === name) ?? {};
    return { name, weight, exposed, converted };
  });
  const others = seen.filter(({ name }) => !plan.variants.some((variant) => variant.name === name));
  return [...planned, ...others.map((one) => ({ ...one, weight: null }))];
}

function resultsOf(variants: readonly Variant[]): VariantResult[] {
  const [control] = variants;
  // A variant that nobody was shown has no rate to compare, and takes no part.
  const running = variants.filter(({ exposed }) => exposed > 0);
  const standing = running.length > 1 ? standings(running) : [];
  const weights = variants.reduce((sum, { weight }) => sum + (weight ?? 0), 0);
  const rate = ({ exposed, converted }: Counts) => (exposed > 0 ? converted / exposed : null);
  return variants.map((one) => {
    const { name: variant, exposed, converted, weight } = one;
    const among = standing[running.indexOf(one)];
    const compared = control && one !== control && exposed > 0 && control.exposed > 0;
    const [own, base] = [rate(one), control ? rate(control) : null];
    return {
      variant,
      control: one === control,
      expected_share: weight === null || weights === 0 ? null : weight / weights,
      exposed,
      converted,
      rate: own,
      lift: compared && own !== null && base ? own / base - 1 : null,
      lift_interval: compared ? liftInterval(one, control) : null,
      probability_best: among?.best ?? null,
      expected_loss: among?.loss ?? null,
    };
  });
}

/** What is not enough, as sentences. */
function missingOf(variants: readonly Variant[]): string[] {
  if (variants.length < 2) return ["There is nothing to compare: an experiment needs two variants or more."];
  const few = variants.filter(({ exposed }) => exposed < ENOUGH_EXPOSED).length;
  const converted = variants.reduce((sum, one) => sum + one.converted, 0);
  return [
    ...(few > 0 ? [`${few} of ${variants.length} variants were shown to fewer than ${ENOUGH_EXPOSED} visitors.`] : []),
    ...(converted < ENOUGH_CONVERTED
      ? [`${converted} of these visitors converted; ${ENOUGH_CONVERTED} are the fewest that say anything.`]
      : []),
  ];
}
