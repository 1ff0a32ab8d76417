import type { Traffic } from "@/lib/contract/vocabulary";
import { HOUR } from "@/lib/testing/oracle/clock";
import type { Fact, Visit } from "@/lib/testing/oracle/facts";

const LOOKBACK = 30 * 24 * HOUR;

/** Returns an event in a visit that has the source and campaign of the first visit of its visitor in the 30 days before. */
export function withFirstTouch(fact: Fact, everything: readonly Visit[], traffic: Traffic): Fact {
  const earlier = everything.filter(
    (visit) =>
      visit.visitor === fact.visitor &&
      (traffic === "all" || visit.traffic === traffic) &&
      visit.started <= fact.at &&
      visit.started >= fact.at - LOOKBACK,
  );
  const [first] = earlier.sort((a, b) => a.started - b.started);
  if (!first) return fact;
  const { referrer, campaign } = first.first;
  return { ...fact, visit: { ...fact.visit, first: { ...fact.visit.first, referrer, campaign } } };
}
