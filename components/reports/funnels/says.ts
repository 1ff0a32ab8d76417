import type { Funnel, FunnelAnswer, FunnelsAnswer } from "@/components/reports/funnels/sheets";
import { caution, moved, named, sentencesOf } from "@/components/reports/sentences";
import { formatExactly, formatPercent } from "@/lib/contract/numbers";
import { legiblePath } from "@/lib/platform/legible";
import { t } from "@/lib/texts/translate";

type Told = Pick<Funnel, "name" | "entered" | "conversion_rate"> & {
  comparison: Pick<Funnel, "conversion_rate"> | null;
  steps: readonly { name: string; visitors: number; drop_off: number }[];
};

/** Returns the step after which the most visitors drop off, with the number of its visitors; null without a drop-off. */
export function worstStep(steps: Told["steps"]): { index: number; name: string; lost: number; of: number } | null {
  const drops = steps.slice(1).map(({ drop_off }, index) => ({
    index,
    name: steps[index]?.name ?? "",
    lost: drop_off,
    of: steps[index]?.visitors ?? 0,
  }));
  const [worst] = drops.filter(({ lost }) => lost > 0).sort((a, b) => b.lost - a.lost || a.index - b.index);
  return worst ?? null;
}

/** Returns how the funnel's rate went and where the most visitors are lost; null without visitors. */
function funnelSays({ name, entered, conversion_rate, comparison, steps }: Told): string | null {
  if (entered === 0) return null;
  const rate = moved({
    label: t("The conversion rate of {name}", { name: named(legiblePath(name)) }),
    isRate: true,
    now: conversion_rate,
    before: comparison?.conversion_rate,
    format: formatPercent,
  });
  const worst = worstStep(steps);
  return sentencesOf(
    rate,
    worst &&
      t("Most are lost after {step}: {lost} of {all} visitors did not continue", {
        step: named(legiblePath(worst.name)),
        lost: formatExactly(worst.lost),
        all: formatExactly(worst.of),
      }),
    caution(entered, "visitor"),
  );
}

/** Returns what the funnel with the lowest conversion rate says. */
export function funnelsSay({ funnels }: FunnelsAnswer): string | null {
  const entered = funnels.filter((funnel) => funnel.entered > 0);
  const [worst] = [...entered].sort((a, b) => (a.conversion_rate ?? 0) - (b.conversion_rate ?? 0));
  return worst ? funnelSays(worst) : null;
}

export const oneFunnelSays = ({ funnels: [funnel] }: FunnelAnswer): string | null =>
  funnel ? funnelSays(funnel) : null;
