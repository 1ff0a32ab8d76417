import { dateAt, plusDays } from "@/lib/testing/oracle/clock";
import { type Fact, visitsOf } from "@/lib/testing/oracle/facts";
import type { SentFilters } from "@/lib/testing/oracle/filters";
import { type Asked, type Range, selectIn } from "@/lib/testing/oracle/query";
import type { Question } from "@/lib/testing/oracle/query-generator";
import type { World } from "@/lib/testing/oracle/world";

/** Random questions ask mostly about days on which nothing happened, or for what nobody is: nothing is compared with nothing. */

const ALWAYS = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY };

/**
 * The same question about one event of the world: of its day, of its class of traffic, and of the conditions with those
 * alone that the event and its visit meet.
 *
 * @param aim chooses the event, from the last one back.
 */
export function aimedAt<Q extends Question>(world: World, { dashboard, segment, ...question }: Q, aim: number): Q {
  const facts = visitsOf(world.events, world.zone).flatMap((visit) => visit.facts);
  facts.sort((a, b) => b.at - a.at);
  const target = facts[aim % facts.length];
  if (!target) return { dashboard, segment, ...question } as Q;
  const met = (filters: SentFilters): SentFilters =>
    Object.fromEntries(Object.entries(filters).filter(([key, sent]) => isMet(world, target, { [key]: sent })));
  const aimed = <Asking extends Pick<Asked, "from" | "to" | "period" | "traffic" | "filters">>(asked: Asking) => {
    const { period, from, to, traffic, filters, ...rest } = asked;
    const date = dateAt(target.at, world.zone);
    return {
      ...rest,
      ...((period || from) && { from: plusDays(date, -(aim % 3)), to: plusDays(date, aim % 2) }),
      ...(traffic && { traffic: traffic === "all" ? traffic : target.traffic }),
      ...(filters && { filters: met(filters) }),
    };
  };
  return {
    ...aimed(question),
    ...(segment && { segment: met(segment) }),
    ...(dashboard && { dashboard: aimed(dashboard) }),
  } as unknown as Q;
}

function isMet(world: World, { at, who, visit }: Fact, filters: SentFilters): boolean {
  const range = { zone: world.zone, now: world.now, ...ALWAYS } as Range;
  const { facts, visits } = selectIn(range, { traffic: "all", filters }, world);
  const isVisit = visits.some(({ visitor, started }) => visitor === visit.visitor && started === visit.started);
  return isVisit && facts.some((fact) => fact.at === at && fact.who === who);
}
