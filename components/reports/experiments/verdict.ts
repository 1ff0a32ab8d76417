import type { Experiment, Variant } from "@/components/reports/experiments/sheets";
import { formatFraction } from "@/components/reports/sheet";
import { formatExactly } from "@/lib/contract/numbers";

/** The result of an experiment in words: what is known, and what to do. */
export interface Verdict {
  tone: "good" | "warn" | "bad";
  title: string;
  text: string;
}

type Judged = Pick<Experiment, "variants" | "exposed" | "sample_ratio" | "enough_data" | "missing" | "ended_at">;

/** From this probability on, a variant counts as the best. */
const SURE = 0.95;

/** The smallest relative difference of rates that is worth waiting for. */
const RELEVANT_LIFT = 0.1;

/** (z(0.975) + z(0.8))² × 2: visitors per variant are this × variance / difference², for 5 % significance and 80 % power. */
const SAMPLE_FACTOR = 15.7;

/** Returns the verdict on an experiment from the intervals of its variants and the planned split. */
export function verdictOf(experiment: Judged): Verdict {
  const { variants, sample_ratio, enough_data, missing, ended_at } = experiment;
  if (sample_ratio?.mismatch) {
    return {
      tone: "bad",
      title: "No result: visitors were not split as planned",
      text: `Check the assignment and the exposure events before you trust any of these numbers (sample ratio mismatch, p = ${sample_ratio.p_value.toPrecision(2)}).`,
    };
  }
  if (!enough_data)
    return { tone: "warn", title: ended_at ? "Ended without a result" : "Too early to tell", text: missing.join(" ") };
  return settled(variants) ?? open(experiment);
}

/** Returns the verdict if one variant is the best, or if several beat the control; else null. */
function settled(variants: readonly Variant[]): Verdict | null {
  const control = variants.find((one) => one.control);
  const others = variants.filter(({ control, lift_interval }) => !control && lift_interval !== null);
  if (!control || others.length === 0) return null;
  const better = others.filter(({ lift_interval }) => (lift_interval?.low ?? 0) > 0);
  const best = better.find(({ probability_best }) => (probability_best ?? 0) >= SURE);
  if (best) {
    return {
      tone: "good",
      title: `Winner: ${best.variant}`,
      text: `Its conversion rate is ${rangeOf(best)} than that of ${control.variant}. Stop the experiment and use it.`,
    };
  }
  if (better.length > 0) {
    const names = listOf(better.map(({ variant }) => variant));
    return {
      tone: "good",
      title: `${names} ${better.length === 1 ? "beats" : "beat"} ${control.variant}`,
      text: "Which variant is the best is not certain yet. Stop the worse ones and continue, or use any of these.",
    };
  }
  if (others.every(({ lift_interval }) => (lift_interval?.high ?? 0) < 0)) {
    return {
      tone: "good",
      title: `Winner: ${control.variant}, the control`,
      text: `${listOf(others.map((one) => `The rate of ${one.variant} is ${rangeOf(one)}`))}. Stop the experiment and keep the control.`,
    };
  }
  return null;
}

/** Returns the verdict on an experiment that shows no difference: continue up to a number of visitors, or stop. */
function open({ variants, exposed, ended_at }: Judged): Verdict {
  const others = variants.filter(({ control, lift_interval }) => !control && lift_interval !== null);
  const known = others.map((one) => `The rate of ${one.variant} is ${rangeOf(one)}`);
  const range = known.length > 0 ? `${known.join(". ")}. ` : "";
  if (ended_at) return { tone: "warn", title: "Ended without a winner", text: `${range}Both are possible.` };
  const needed = visitorsNeeded(variants);
  if (needed !== null && exposed < needed) {
    return {
      tone: "warn",
      title: "No difference yet",
      text: `${range}Stop at ${formatExactly(needed)} visitors, ${formatExactly(needed - exposed)} more than now: by then a difference of ${formatFraction(RELEVANT_LIFT)} would show.`,
    };
  }
  return {
    tone: "warn",
    title: "No difference worth waiting for",
    text: `${range}A difference of ${formatFraction(RELEVANT_LIFT)} would have shown by now. Stop the experiment and use the variant that you prefer.`,
  };
}

/**
 * Returns how many visitors the whole experiment needs to show a relevant lift over the control in its smallest
 * variant, rounded up to two digits (the two-sample formula for proportions); null while nobody converts.
 */
function visitorsNeeded(variants: readonly Variant[]): number | null {
  const rate = variants.find(({ control }) => control)?.rate;
  if (!rate || rate >= 1) return null;
  const each = (SAMPLE_FACTOR * rate * (1 - rate)) / (RELEVANT_LIFT * rate) ** 2;
  const shares = variants.flatMap(({ expected_share }) => expected_share || []);
  const total = each / (shares.length > 1 ? Math.min(...shares) : 1 / variants.length);
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(total)) - 1);
  return Math.ceil(total / unit) * unit;
}

/** "5% to 20% higher", "20% lower to 34% higher" */
function rangeOf({ lift_interval }: Variant): string {
  const { low, high } = lift_interval ?? { low: 0, high: 0 };
  const size = (lift: number) => formatFraction(Math.abs(lift));
  if (low >= 0) return `${size(low)} to ${size(high)} higher`;
  if (high <= 0) return `${size(high)} to ${size(low)} lower`;
  return `between ${size(low)} lower and ${size(high)} higher`;
}

const list = new Intl.ListFormat("en");
const listOf = (names: string[]): string => list.format(names);
