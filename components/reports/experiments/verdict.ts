import type { Experiment, Variant } from "@/components/reports/experiments/sheets";
import { formatFraction } from "@/components/reports/sheet";
import { ENOUGH_CONVERTED, ENOUGH_EXPOSED } from "@/lib/analytics/reports/experiments";
import { formatExactly } from "@/lib/contract/numbers";
import { perLocale } from "@/lib/platform/locale";
import { currentLanguage, t } from "@/lib/texts/translate";

/** The result of an experiment in words: what is known, and what to do. */
export interface Verdict {
  tone: "good" | "warn" | "bad";
  title: string;
  text: string;
}

type Judged = Pick<Experiment, "variants" | "exposed" | "sample_ratio" | "enough_data" | "ended_at">;

/** From this probability on, a variant counts as the best. */
const SURE = 0.95;

/** The smallest relative difference of rates that is worth waiting for. */
const RELEVANT_LIFT = 0.1;

/** (z(0.975) + z(0.8))² × 2: visitors per variant are this × variance / difference², for 5 % significance and 80 % power. */
const SAMPLE_FACTOR = 15.7;

/** Returns the verdict on an experiment from the intervals of its variants and the planned split. */
export function verdictOf(experiment: Judged): Verdict {
  const { variants, sample_ratio, enough_data, ended_at } = experiment;
  if (sample_ratio?.mismatch) {
    return {
      tone: "bad",
      title: t("No result: visitors were not split as planned"),
      text: t(
        "Check the assignment and the exposure events before you trust any of these numbers (sample ratio mismatch, p = {p}).",
        { p: sample_ratio.p_value.toPrecision(2) },
      ),
    };
  }
  if (!enough_data)
    return {
      tone: "warn",
      title: ended_at ? t("Ended without a result") : t("Too early to tell"),
      text: missingText(variants),
    };
  return settled(variants) ?? open(experiment);
}

/** Returns which data are missing, as `missing` of the answer does in English. */
function missingText(variants: readonly Variant[]): string {
  if (variants.length < 2) return t("There is nothing to compare: an experiment needs two variants or more.");
  const few = variants.filter(({ exposed }) => exposed < ENOUGH_EXPOSED).length;
  const converted = variants.reduce((sum, one) => sum + one.converted, 0);
  return [
    few > 0 &&
      t("{few} of {all} variants were shown to fewer than {enough} visitors.", {
        few,
        all: variants.length,
        enough: ENOUGH_EXPOSED,
      }),
    converted < ENOUGH_CONVERTED &&
      t("{converted} of these visitors converted; {enough} are the fewest that say anything.", {
        converted,
        enough: ENOUGH_CONVERTED,
      }),
  ]
    .filter(Boolean)
    .join(" ");
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
      title: t("Winner: {variant}", { variant: best.variant }),
      text: t("Its conversion rate is {range} than that of {control}. Stop the experiment and use it.", {
        range: rangeOf(best),
        control: control.variant,
      }),
    };
  }
  if (better.length > 0) {
    const names = list().format(better.map(({ variant }) => variant));
    return {
      tone: "good",
      title: t("{count, plural, one {{names} beats {control}} other {{names} beat {control}}}", {
        count: better.length,
        names,
        control: control.variant,
      }),
      text: t("Which variant is the best is not certain yet. Stop the worse ones and continue, or use any of these."),
    };
  }
  if (others.every(({ lift_interval }) => (lift_interval?.high ?? 0) < 0)) {
    return {
      tone: "good",
      title: t("Winner: {variant}, the control", { variant: control.variant }),
      text: t("{rates}. Stop the experiment and keep the control.", { rates: list().format(others.map(rateText)) }),
    };
  }
  return null;
}

/** Returns the verdict on an experiment that shows no difference: continue up to a number of visitors, or stop. */
function open({ variants, exposed, ended_at }: Judged): Verdict {
  const others = variants.filter(({ control, lift_interval }) => !control && lift_interval !== null);
  const known = others.map(rateText);
  const range = known.length > 0 ? `${known.join(". ")}. ` : "";
  if (ended_at) {
    return { tone: "warn", title: t("Ended without a winner"), text: `${range}${t("Both are possible.")}` };
  }
  const needed = visitorsNeeded(variants);
  const lift = formatFraction(RELEVANT_LIFT);
  if (needed !== null && exposed < needed) {
    return {
      tone: "warn",
      title: t("No difference yet"),
      text: `${range}${t(
        "Stop at {needed} visitors, {more} more than now: by then a difference of {lift} would show.",
        {
          needed: formatExactly(needed),
          more: formatExactly(needed - exposed),
          lift,
        },
      )}`,
    };
  }
  return {
    tone: "warn",
    title: t("No difference worth waiting for"),
    text: `${range}${t("A difference of {lift} would have shown by now. Stop the experiment and use the variant that you prefer.", { lift })}`,
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
  if (low >= 0) return t("{low} to {high} higher", { low: size(low), high: size(high) });
  if (high <= 0) return t("{low} to {high} lower", { low: size(high), high: size(low) });
  return t("between {low} lower and {high} higher", { low: size(low), high: size(high) });
}

const rateText = (one: Variant): string =>
  t("The rate of {variant} is {range}", { variant: one.variant, range: rangeOf(one) });

const list = perLocale(() => new Intl.ListFormat(currentLanguage()));
