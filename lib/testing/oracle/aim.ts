import { dateAt, plusDays } from "@/lib/testing/oracle/clock";
import { type Fact, visitsOf } from "@/lib/testing/oracle/facts";
import type { SentFilters } from "@/lib/testing/oracle/filters";
import { type Query, type Range, selectIn } from "@/lib/testing/oracle/query";
import type { SentQuery } from "@/lib/testing/oracle/query-generator";
import type { World } from "@/lib/testing/oracle/world";

/** Targets random queries at existing events: most random ranges and filters match nothing. */

const ALL_TIME = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY };

/**
 * Changes a query so that it matches one event: its day, its traffic class, and only the conditions that it meets.
 *
 * @param aim index of the event, counted from the last one back.
 */
export function aimedAt<Q extends SentQuery>(world: World, { dashboard, segment, ...sentQuery }: Q, aim: number): Q {
  const facts = visitsOf(world.events, world.zone).flatMap((visit) => visit.facts);
  facts.sort((a, b) => b.at - a.at);
  const target = facts[aim % facts.length];
  if (!target) return { dashboard, segment, ...sentQuery } as Q;
  const met = (filters: SentFilters): SentFilters =>
    Object.fromEntries(Object.entries(filters).filter(([key, sent]) => isMet(world, target, { [key]: sent })));
  const aimed = <Part extends Pick<Query, "from" | "to" | "period" | "traffic" | "filters">>(query: Part) => {
    const { period, from, to, traffic, filters, ...rest } = query;
    const date = dateAt(target.at, world.zone);
    return {
      ...rest,
      ...((period || from) && { from: plusDays(date, -(aim % 3)), to: plusDays(date, aim % 2) }),
      ...(traffic && { traffic: traffic === "all" ? traffic : target.traffic }),
      ...(filters && { filters: met(filters) }),
    };
  };
  return {
    ...aimed(sentQuery),
    ...(segment && { segment: met(segment) }),
    ...(dashboard && { dashboard: aimed(dashboard) }),
  } as unknown as Q;
}

function isMet(world: World, { at, who, visit }: Fact, filters: SentFilters): boolean {
  const range = { zone: world.zone, now: world.now, ...ALL_TIME } as Range;
  const { facts, visits } = selectIn(range, { traffic: "all", filters }, world);
  const isVisit = visits.some(({ visitor, started }) => visitor === visit.visitor && started === visit.started);
  return isVisit && facts.some((fact) => fact.at === at && fact.who === who);
}
