import { ranked } from "@/lib/testing/oracle/acquisition";
import { dateAt } from "@/lib/testing/oracle/clock";
import { valueOfVisit } from "@/lib/testing/oracle/dimensions";
import { type Fact, isNamed, isView, type Visit } from "@/lib/testing/oracle/facts";
import { reaches } from "@/lib/testing/oracle/filters";
import {
  type Funnel,
  type FunnelPath,
  factsWithinWindow,
  funnelPathsIn,
  progress,
  requestedFunnels,
  type Step,
} from "@/lib/testing/oracle/funnels";
import { percentile } from "@/lib/testing/oracle/metrics";
import { asMoney, exact, inEuros } from "@/lib/testing/oracle/money";
import { bucketsOf, type Known, naturalInterval, type Query, type Selection, select } from "@/lib/testing/oracle/query";

/** Expected answer of funnels.advanced: every number comes from the chosen funnel paths. */

export function funnelDetails(query: Query & { funnel?: string }, known: Known): object {
  const { scope, before } = select(query, known);
  return {
    funnels: requestedFunnels(query.funnel).map((funnel) => ({
      name: funnel.name,
      window_minutes: funnel.windowMinutes,
      ...detailsOf(scope, funnel, false),
      comparison: before && detailsOf(before, funnel, true),
    })),
  };
}

function detailsOf(scope: Selection, funnel: Funnel, isComparison: boolean): object {
  const funnelPaths = funnelPathsIn(scope, funnel, isComparison);
  const counted = new Set(factsWithinWindow(scope, funnel, isComparison).map(sameIn));
  const { steps, ...totals } = progress(funnel, funnelPaths);
  const by = (valueFor: (visit: Visit) => string) => rowsOf(funnelPaths, funnel, valueFor);
  return {
    ...totals,
    steps: steps.map((step, index) => {
      const reached = funnelPaths.filter(({ length }) => length > index);
      const since = (place: number) =>
        reached.map((funnelPath) => Math.round(Number((atOf(funnelPath, index) - atOf(funnelPath, place)).toFixed(3))));
      return {
        ...step,
        seconds_from_previous: quantiles(index === 0 ? [] : since(index - 1)),
        seconds_from_first: quantiles(index === 0 ? [] : since(0)),
        revenue: earnedBy(
          reached.flatMap((funnelPath) => funnelPath[index] ?? []),
          scope.range.zone,
        ),
        left_to: index === funnel.steps.length - 1 ? [] : leftTo(funnelPaths, funnel.steps, index, counted),
      };
    }),
    trend: trendOf(funnelPaths, funnel, scope),
    sources: by((visit) => valueOfVisit(visit, "source")),
    devices: by((visit) => valueOfVisit(visit, "device")),
    countries: by((visit) => valueOfVisit(visit, "country")),
  };
}

const atOf = (funnelPath: FunnelPath, index: number): number => (funnelPath[index] as Fact).at;
/** Identifies an event across selections, which hold separate objects for it. */
const sameIn = ({ visitor, at, type, name }: Fact): string => `${visitor} ${at} ${type} ${name}`;

/** Returns quantiles in seconds of times in milliseconds. */
const quantiles = (times: number[]) => {
  const at = (share: number) => inSeconds(percentile(times, share));
  return { p50: at(0.5), p75: at(0.75), p90: at(0.9) };
};
const inSeconds = (time: number | null): number | null => time && time / 1000;

function earnedBy(facts: readonly Fact[], zone: string): object {
  const amounts = facts.map(({ revenue, currency, at }) =>
    revenue === null ? 0n : (inEuros(exact(revenue), currency, dateAt(at, zone)) ?? 0n),
  );
  return asMoney(amounts.reduce((sum, amount) => sum + amount, 0n));
}

const DESTINATIONS = 5;

/** Returns the next event of visitors whose last step this was, in the same visit, repeats of the step excluded. */
function leftTo(
  funnelPaths: readonly FunnelPath[],
  steps: readonly Step[],
  index: number,
  counted: ReadonlySet<string>,
) {
  const destinations = funnelPaths
    .filter(({ length }) => length === index + 1)
    .map((funnelPath) => {
      const last = funnelPath[index] as Fact;
      const next = last.visit.facts.find(
        (fact) =>
          fact.at > last.at &&
          counted.has(sameIn(fact)) &&
          (isView(fact) || isNamed(fact)) &&
          !reaches(fact, steps[index] as Step),
      );
      if (!next) return { kind: "exit", value: null };
      return isView(next) ? { kind: "page", value: next.page?.path ?? null } : { kind: "event", value: next.name };
    });
  const rows = [...new Set(destinations.map((destination) => JSON.stringify(destination)))].map((destination) => ({
    ...(JSON.parse(destination) as (typeof destinations)[number]),
    visitors: destinations.filter((one) => JSON.stringify(one) === destination).length,
  }));
  const sorted = ranked(
    rows,
    ({ visitors }) => [visitors],
    ({ kind, value }) => [kind, value],
  );
  const shown = sorted.filter(({ kind }) => kind !== "exit").slice(0, DESTINATIONS);
  return sorted.filter((row) => row.kind === "exit" || shown.includes(row));
}

function trendOf(funnelPaths: readonly FunnelPath[], { steps }: Funnel, { range, query }: Selection): object[] {
  return bucketsOf(range, naturalInterval(range, query)).map(({ start, end, label }) => {
    const those = funnelPaths.filter((funnelPath) => start <= atOf(funnelPath, 0) && atOf(funnelPath, 0) < end);
    const converted = those.filter(({ length }) => length === steps.length).length;
    return { start: new Date(start).toISOString(), label, entered: those.length, converted };
  });
}

const VALUES = 10;

function rowsOf(funnelPaths: readonly FunnelPath[], { steps }: Funnel, valueFor: (visit: Visit) => string): object[] {
  const valueOfPath = (funnelPath: FunnelPath) => valueFor((funnelPath[0] as Fact).visit) || null;
  const rows = [...new Set(funnelPaths.map(valueOfPath))].map((value) => {
    const those = funnelPaths.filter((funnelPath) => valueOfPath(funnelPath) === value);
    return { value, visitors: steps.map((_, index) => those.filter(({ length }) => length > index).length) };
  });
  const sorted = ranked(
    rows,
    ({ visitors }) => [visitors[0] ?? 0],
    ({ value }) => [value],
  );
  return sorted.slice(0, VALUES);
}
