import type { Outcome } from "@/lib/contract/vocabulary";
import { conversionRate, converts } from "@/lib/testing/oracle/acquisition";
import type { Fact } from "@/lib/testing/oracle/facts";
import { goalOf, reaches } from "@/lib/testing/oracle/filters";
import { visitorsOf } from "@/lib/testing/oracle/metrics";
import { asMoney, earned, salesOf, sumOf, worthOf } from "@/lib/testing/oracle/money";
import type { Selection } from "@/lib/testing/oracle/query";

/** What some events of a scope led to, by the definitions of `OUTCOMES`. */

export interface Outcomes {
  numbers: Record<Outcome, number | null>;
  /** How many conversions and sales there are, of which rows are made. */
  conversions: number;
  sales: number;
}

/**
 * Returns a function of events and visitors. An order counts once in the whole scope, whichever events are asked for.
 *
 * @param goal the goal whose conversions count; any goal of the site by default.
 */
export function outcomesIn(scope: Selection, goal?: string) {
  const sales = salesOf(scope);
  const { known, range } = scope;
  const isConversion = (fact: Fact) =>
    goal === undefined ? converts(fact, known) : reaches(fact, goalOf(goal, known.goals));
  const valued = goal === undefined ? known.goals : [goalOf(goal, known.goals)];
  return (facts: readonly Fact[], visitors: number): Outcomes => {
    const converted = facts.filter(isConversion);
    const those = new Set(facts);
    const mine = sales.filter(({ fact }) => those.has(fact));
    const orders = mine.filter(({ kind }) => kind === "purchase");
    const priced = orders.filter((one) => one.converted !== null);
    const paid = sumOf(priced.map((one) => one.converted));
    return {
      conversions: converted.length,
      sales: mine.length,
      numbers: {
        conversions: converted.length,
        conversion_rate: conversionRate(visitorsOf(converted, range.zone), visitors),
        conversion_value: Number(asMoney(worthOf(valued, facts, mine)).amount),
        revenue: Number(earned(mine).amount),
        orders: orders.length,
        average_order_value: priced.length > 0 ? Number(asMoney(paid, BigInt(priced.length)).amount) : null,
      },
    };
  };
}
