import { ranked } from "@/lib/testing/oracle/acquisition";
import { dateAt } from "@/lib/testing/oracle/clock";
import { wordOfVisit } from "@/lib/testing/oracle/dimensions";
import { type Fact, isNamed, isView, type Visit } from "@/lib/testing/oracle/facts";
import { reaches } from "@/lib/testing/oracle/filters";
import { askedFor, beyond, type Chain, chainsIn, type Funnel, progress, type Step } from "@/lib/testing/oracle/funnels";
import { percentile } from "@/lib/testing/oracle/metrics";
import { asMoney, exact, inEuros } from "@/lib/testing/oracle/money";
import { type Asked, bucketsOf, type Known, naturalInterval, type Selection, select } from "@/lib/testing/oracle/query";

/** What funnels in depth should say: every number is that of the chains that were chosen. */

export function funnelDetails(asked: Asked & { funnel?: string }, known: Known): object {
  const { scope, before } = select(asked, known);
  return {
    funnels: askedFor(asked.funnel).map((funnel) => ({
      name: funnel.name,
      window_minutes: funnel.windowMinutes,
      ...detailsOf(scope, funnel, false),
      comparison: before && detailsOf(before, funnel, true),
    })),
  };
}

function detailsOf(scope: Selection, funnel: Funnel, isComparison: boolean): object {
  const chains = chainsIn(scope, funnel, isComparison);
  const counted = new Set(beyond(scope, funnel, isComparison).map(sameIn));
  const { steps, ...totals } = progress(funnel, chains);
  const by = (wordOf: (visit: Visit) => string) => rowsOf(chains, funnel, wordOf);
  return {
    ...totals,
    steps: steps.map((step, index) => {
      const taken = chains.filter(({ length }) => length > index);
      const since = (place: number) =>
        taken.map((chain) => Math.round(Number((atOf(chain, index) - atOf(chain, place)).toFixed(3))) / 1000);
      return {
        ...step,
        seconds_from_previous: quantiles(index === 0 ? [] : since(index - 1)),
        seconds_from_first: quantiles(index === 0 ? [] : since(0)),
        revenue: earnedBy(
          taken.flatMap((chain) => chain[index] ?? []),
          scope.range.zone,
        ),
        left_to: index === funnel.steps.length - 1 ? [] : leftTo(chains, funnel.steps, index, counted),
      };
    }),
    trend: trendOf(chains, funnel, scope),
    sources: by((visit) => wordOfVisit(visit, "source")),
    devices: by((visit) => wordOfVisit(visit, "device")),
    countries: by((visit) => wordOfVisit(visit, "country")),
  };
}

const atOf = (chain: Chain, index: number): number => (chain[index] as Fact).at;
/** Two selections hold facts of their own about one event. */
const sameIn = ({ visitor, at, type, name }: Fact): string => `${visitor} ${at} ${type} ${name}`;

const quantiles = (seconds: number[]) => ({
  p50: percentile(seconds, 0.5),
  p75: percentile(seconds, 0.75),
  p90: percentile(seconds, 0.9),
});

function earnedBy(facts: readonly Fact[], zone: string): object {
  const amounts = facts.map(({ revenue, currency, at }) =>
    revenue === null ? 0n : (inEuros(exact(revenue), currency, dateAt(at, zone)) ?? 0n),
  );
  return asMoney(amounts.reduce((sum, amount) => sum + amount, 0n));
}

const DESTINATIONS = 5;

/** What those whose last step this was did next in its visit that is counted and is not the step again. */
function leftTo(chains: readonly Chain[], steps: readonly Step[], index: number, counted: ReadonlySet<string>) {
  const ways = chains
    .filter(({ length }) => length === index + 1)
    .map((chain) => {
      const last = chain[index] as Fact;
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
  const rows = [...new Set(ways.map((way) => JSON.stringify(way)))].map((way) => ({
    ...(JSON.parse(way) as (typeof ways)[number]),
    visitors: ways.filter((one) => JSON.stringify(one) === way).length,
  }));
  const most = ranked(
    rows,
    ({ visitors }) => [visitors],
    ({ kind, value }) => [kind, value],
  );
  const shown = most.filter(({ kind }) => kind !== "exit").slice(0, DESTINATIONS);
  return most.filter((row) => row.kind === "exit" || shown.includes(row));
}

function trendOf(chains: readonly Chain[], { steps }: Funnel, { range, asked }: Selection): object[] {
  return bucketsOf(range, naturalInterval(range, !asked.from && asked.period === "24h")).map(
    ({ start, end, label }) => {
      const those = chains.filter((chain) => start <= atOf(chain, 0) && atOf(chain, 0) < end);
      const converted = those.filter(({ length }) => length === steps.length).length;
      return { start: new Date(start).toISOString(), label, entered: those.length, converted };
    },
  );
}

const VALUES = 10;

function rowsOf(chains: readonly Chain[], { steps }: Funnel, wordOf: (visit: Visit) => string): object[] {
  const wordOfChain = (chain: Chain) => wordOf((chain[0] as Fact).visit) || null;
  const rows = [...new Set(chains.map(wordOfChain))].map((value) => {
    const those = chains.filter((chain) => wordOfChain(chain) === value);
    return { value, visitors: steps.map((_, index) => those.filter(({ length }) => length > index).length) };
  });
  const most = ranked(
    rows,
    ({ visitors }) => [visitors[0] ?? 0],
    ({ value }) => [value],
  );
  return most.slice(0, VALUES);
}
