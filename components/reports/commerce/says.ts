import type { CommerceAnswer } from "@/components/reports/commerce/sheets";
import { worstStep } from "@/components/reports/funnels/says";
import { purchaseStepName } from "@/components/reports/purchase-steps";
import { caution, moved, sentencesOf } from "@/components/reports/sentences";
import { formatAmount, formatExactly } from "@/lib/contract/numbers";
import { t } from "@/lib/texts/translate";

/** Returns how revenue and orders went, and at which step of the purchase funnel the most visitors are lost. */
export function commerceSays({ totals, previous, funnel }: CommerceAnswer): string | null {
  const { revenue, orders } = totals;
  if (orders === 0 && Number(revenue.amount) === 0) return null;
  const money = moved({
    label: t("Revenue"),
    now: Number(revenue.amount),
    before: previous ? Number(previous.revenue.amount) : undefined,
    format: (value) => formatAmount(value, revenue.currency),
  });
  const sold = moved({
    label: t("Orders"),
    isPlural: true,
    now: orders,
    before: previous?.orders,
    format: formatExactly,
  });
  const steps = funnel.map(({ step, visitors }, index) => ({
    name: purchaseStepName(step),
    visitors,
    drop_off: index > 0 ? Math.max(0, (funnel[index - 1]?.visitors ?? 0) - visitors) : 0,
  }));
  const worst = worstStep(steps);
  return sentencesOf(
    money,
    sold,
    worst &&
      t("Most buyers are lost after the step “{step}”: {lost} of {all} visitors", {
        step: worst.name,
        lost: formatExactly(worst.lost),
        all: formatExactly(worst.of),
      }),
    caution(orders, "order"),
  );
}
