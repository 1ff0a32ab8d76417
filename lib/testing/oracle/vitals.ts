import type { DimensionKey } from "@/lib/analytics/query/dimensions";
import { ranked } from "@/lib/testing/oracle/acquisition";
import { valueOfFact } from "@/lib/testing/oracle/dimensions";
import type { Fact, RawEvent } from "@/lib/testing/oracle/facts";
import { percentile } from "@/lib/testing/oracle/metrics";
import { type Known, type Query, type Selection, select } from "@/lib/testing/oracle/query";
import { seriesOf } from "@/lib/testing/oracle/series";
import { reshaped, type World } from "@/lib/testing/oracle/world";

/** Expected answer of vitals: page views one by one, each with its last reports. */

/** Google's thresholds: good up to the first, poor above the second. */
const THRESHOLDS = {
  lcp: [2500, 4000],
  inp: [200, 500],
  cls: [0.1, 0.25],
  fcp: [1800, 3000],
  ttfb: [800, 1800],
} as const;
type Vital = keyof typeof THRESHOLDS;
const vitalNames = Object.keys(THRESHOLDS) as Vital[];
const FLOOR = 20;
const MAX_ROWS = 20;
const BREAKDOWNS: Record<string, DimensionKey> = {
  pages: "page",
  devices: "device",
  countries: "country",
  browsers: "browser",
};
const breakdowns = Object.keys(BREAKDOWNS);

/** The reports of one page view, in order of arrival. */
type View = Fact[];

/** Adds vitals reports after every event: each view has two reports, some have a third one. */
export const withVitals = (world: World): World => {
  const report = (event: RawEvent, after: number, props: Record<string, unknown>): RawEvent => ({
    ...event,
    at: event.at + after,
    type: "vitals",
    name: null,
    engagementMs: null,
    scroll: null,
    revenue: null,
    currency: null,
    props,
  });
  const reportsOf = (event: RawEvent, n: number): RawEvent[] => {
    // The same id occurs in several visits.
    const view = n % 7 ? { view: `v${n % 30}` } : {};
    return [
      report(event, 200, { ...view, lcp: 900 + 400 * (n % 13), cls: 0.05 * (n % 7), ttfb: 100 * (n % 20) }),
      report(event, 400, { ...view, inp: 100 * (n % 7), fcp: 1500 + 300 * (n % 6) }),
      ...(n % 3 ? [report(event, 600, { ...view, lcp: 2500 + 1500 * (n % 2), cls: null, inp: "slow" })] : []),
    ];
  };
  const events = world.events.flatMap((event, n) =>
    event.type === "vitals" ? [event] : [event, ...[0, 1, 2].flatMap((more) => reportsOf(event, 3 * n + more))],
  );
  events.sort((a, b) => a.at - b.at);
  return reshaped({ ...world, events }, (event) => event);
};

export function vitals(query: Query, known: Known): object {
  const { scope, before } = select(query, known);
  const [now, then] = [viewsIn(scope), before && viewsIn(before)];
  const rows = listsOf((list) => rowsBy(now, scope, list).slice(0, MAX_ROWS));
  return {
    floor: FLOOR,
    overall: statisticsOf(now),
    ...rows,
    comparison: before &&
      then && {
        overall: statisticsOf(then),
        ...listsOf((list) => {
          const earlier = rowsBy(then, before, list);
          return rows[list]?.map(({ value }) => earlier.find((row) => row.value === value) ?? null) ?? [];
        }),
      },
    series: seriesOf(scope, ({ facts }) => {
      const views = now.filter((view) => facts.includes(view.at(-1) as Fact));
      const all = statisticsOf(views) as unknown as Record<Vital, { p75: number | null }>;
      return { views: views.length, ...Object.fromEntries(vitalNames.map((name) => [name, all[name].p75])) };
    }),
  };
}

const listsOf = <Row>(make: (list: string) => Row[]): Record<string, Row[]> =>
  Object.fromEntries(breakdowns.map((list) => [list, make(list)]));

function viewsIn({ facts }: Selection): View[] {
  const views: View[] = [];
  for (const fact of facts.filter(({ type }) => type === "vitals")) {
    const name = fact.props?.view;
    const same = views.find(
      ([first]) => name !== undefined && first?.visit === fact.visit && first.props?.view === name,
    );
    if (same) same.push(fact);
    else views.push([fact]);
  }
  return views;
}

function rowsBy(views: readonly View[], { titles }: Selection, list: string) {
  const key = BREAKDOWNS[list] as DimensionKey;
  const valueOfView = (view: View) => valueOfFact(view.at(-1) as Fact, key, titles) || null;
  const rows = [...new Set(views.map(valueOfView))].map((value) => ({
    value,
    ...statisticsOf(views.filter((view) => valueOfView(view) === value)),
  }));
  return ranked(
    rows,
    (row) => [row.views],
    (row) => [row.value],
  );
}

function statisticsOf(views: readonly View[]): { views: number } & Record<string, unknown> {
  const vitals = vitalNames.map((name) => {
    const samples = views.flatMap((view) => view.map(({ props }) => props?.[name]).findLast(isNumber) ?? []);
    return [name, measured(name, samples)];
  });
  return { views: views.length, ...Object.fromEntries(vitals) };
}

const isNumber = (value: unknown): value is number => typeof value === "number";

function measured(name: Vital, samples: readonly number[]): object {
  const [good, poor] = THRESHOLDS[name];
  const enough = samples.length >= FLOOR;
  const at = (share: number) => (enough ? percentile(samples, share) : null);
  const share = (is: (value: number) => boolean) => (enough ? samples.filter(is).length / samples.length : null);
  return {
    samples: samples.length,
    enough_data: enough,
    p50: at(0.5),
    p75: at(0.75),
    p90: at(0.9),
    p99: at(0.99),
    good: share((value) => value <= good),
    needs_improvement: share((value) => value > good && value <= poor),
    poor: share((value) => value > poor),
  };
}
