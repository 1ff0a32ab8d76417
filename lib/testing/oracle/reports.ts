import type { BreakdownKey, DimensionKey } from "@/lib/analytics/query/dimensions";
import type { Interval } from "@/lib/contract/fields";
import { MEASURES, type Measure, type Metric, type Outcome } from "@/lib/contract/vocabulary";
import { dateAt, midnight } from "@/lib/testing/oracle/clock";
import { isOfEvents } from "@/lib/testing/oracle/dimensions";
import { type Fact, isNamed } from "@/lib/testing/oracle/facts";
import {
  byValues,
  groupsBy,
  headline,
  metricNames,
  type Numbers,
  numbersOf,
  type Row,
} from "@/lib/testing/oracle/metrics";
import { REPORTING } from "@/lib/testing/oracle/money";
import { type Outcomes, outcomesIn } from "@/lib/testing/oracle/outcomes";
import {
  bucketsOf,
  type Known,
  naturalInterval,
  type OracleBucket,
  type Query,
  type Selection,
  select,
} from "@/lib/testing/oracle/query";
import { seriesOf } from "@/lib/testing/oracle/series";

/** Expected answers of overview, chart and explore. */

const PANELS: Record<string, DimensionKey> = {
  pages: "page",
  entry_pages: "entry_page",
  exit_pages: "exit_page",
  sources: "source",
  channels: "channel",
  countries: "country",
  regions: "region",
  cities: "city",
  devices: "device",
  browsers: "browser",
  os: "os",
  utm_campaigns: "utm_campaign",
  utm_sources: "utm_source",
  utm_mediums: "utm_medium",
  event_names: "event",
};
/** Panels without a row for missing values. */
const ONLY_KNOWN = ["utm_campaign", "utm_source", "utm_medium", "event"];

/** Buckets have no scroll depth. */
const OF_BUCKETS = metricNames.filter((name) => name !== "scroll_depth");

interface WithGoal {
  goal?: string | undefined;
}

/** What a dashboard shows of outcomes: conversions of a goal, and money where the site has any event with it. */
function shownOutcomes({ everything, known }: Selection, { goal }: WithGoal): Outcome[] {
  const sold = everything
    .flatMap(({ facts }) => facts)
    .some((fact) => fact.revenue !== null || (isNamed(fact) && fact.name === "purchase"));
  const isValued = known.goals.some(({ name, value }) => name === goal && value);
  const valued: readonly Outcome[] = isValued ? ["conversion_value"] : [];
  return [...(goal ? (["conversions", "conversion_rate"] as const) : []), ...valued, ...(sold ? OF_MONEY : [])];
}

/** Returns some outcomes of events. */
const someOf = ({ numbers }: Outcomes, names: readonly Outcome[]) =>
  Object.fromEntries(names.map((name) => [name, numbers[name]]));

export function overview(query: Query & WithGoal, known: Known): object {
  const { scope, before } = select(query, known);
  return {
    ...totals(scope, before, metricNames, query),
    panels: Object.fromEntries(
      Object.entries(PANELS).map(([name, key]) => [name, panel({ scope, before }, key, query)]),
    ),
  };
}

/** Returns the totals, the totals of the comparison, and the changes. */
function totals(scope: Selection, before: Selection | null, metricsShown: readonly Metric[], query: WithGoal): object {
  const names: Measure[] = [...metricsShown, ...shownOutcomes(scope, query)];
  const some = (all: Record<Measure, number | null>) => Object.fromEntries(names.map((name) => [name, all[name]]));
  const all = (of: Selection) => {
    const numbers = headline(of);
    return { ...numbers, ...outcomesIn(of, query.goal)(of.credited, numbers.visitors ?? 0).numbers };
  };
  const [metrics, previous] = [all(scope), before && all(before)];
  const changed = (name: Measure) => {
    const [now, then] = [metrics[name], previous?.[name] ?? null];
    return now === null || then === null || then === 0 ? null : (now - then) / then;
  };
  return {
    metrics: some(metrics),
    previous: previous && some(previous),
    change: previous && Object.fromEntries(names.map((name) => [name, changed(name)])),
    currency: names.includes("revenue") || names.includes("conversion_value") ? REPORTING : null,
  };
}

function panel({ scope, before }: ReturnType<typeof select>, key: DimensionKey, query: WithGoal): object[] {
  const visitorsBefore =
    before &&
    new Map(
      groupsBy(before, [key]).map(({ values: [value], ...counted }) => [
        value,
        numbersOf(counted, before.range.zone).visitors ?? 0,
      ]),
    );
  const names = shownOutcomes(scope, query).filter((name) => name !== "orders" && name !== "average_order_value");
  const outcomesOf = outcomesIn(scope, query.goal);
  const reached = creditedBy(scope, [key]);
  const second = key === "page" ? "pageviews" : "visits";
  return (
    groupsBy(scope, [key])
      .map(({ values, ...counted }) => ({ values, counted, numbers: numbersOf(counted, scope.range.zone) }))
      .filter(({ values: [value] }) => value !== null || !ONLY_KNOWN.includes(key))
      // Events without a visit are listed by page and name, too.
      .filter(({ numbers }) => numbers.visitors || key === "event" || (key === "page" && numbers.pageviews))
      .sort(largestFirst("visitors", second))
      .slice(0, 10)
      .map(({ values: [value], numbers: { visitors, visits, pageviews } }) => ({
        value,
        visitors,
        ...(visitorsBefore && { visitors_before: visitorsBefore.get(value) ?? 0 }),
        visits,
        ...(key === "page" && { pageviews }),
        ...someOf(outcomesOf(reached([value ?? null]), visitors ?? 0), names),
      }))
  );
}

/** Returns a function of values that has the events that are given to them. */
function creditedBy(scope: Selection, by: readonly BreakdownKey[]) {
  const groups = groupsBy({ ...scope, visits: [], imported: [], facts: scope.credited }, by);
  const known = new Map(groups.map(({ values, facts }) => [JSON.stringify(values), facts]));
  return (values: (string | null)[]): readonly Fact[] => known.get(JSON.stringify(values)) ?? [];
}

const largestFirst =
  (...metrics: Metric[]) =>
  (a: Row, b: Row): number => {
    for (const metric of metrics) {
      const difference = (b.numbers[metric] ?? 0) - (a.numbers[metric] ?? 0);
      if (difference !== 0) return difference;
    }
    return byValues(a, b);
  };

interface Bucket extends Partial<Numbers> {
  start: string;
  label: string;
  partial: boolean;
}

export function chart(query: Query & WithGoal & { interval?: Interval | undefined }, known: Known): object {
  const { scope, before } = select(query, known);
  const interval = query.interval ?? naturalInterval(scope.range, query);
  const buckets = series(scope, interval, query);
  return {
    ...totals(scope, before, OF_BUCKETS, query),
    buckets,
    comparison: before && comparedBuckets(buckets, before, interval, query),
  };
}

const series = (scope: Selection, interval: Interval, query: WithGoal): Bucket[] =>
  bucketsOf(scope.range, interval).map((bucket) => numbersIn(scope, bucket, interval, query));

function numbersIn(
  scope: Selection,
  { start, end, label, partial }: OracleBucket,
  interval: Interval,
  query: WithGoal,
): Bucket {
  const { zone } = scope.range;
  const within = (at: number) => start <= at && at < end;
  const hasDays = interval !== "minute" && interval !== "hour";
  const { scroll_depth: _, ...numbers } = numbersOf(
    {
      visits: scope.visits.filter(({ started }) => within(started)),
      facts: scope.facts.filter(({ at }) => within(at)),
      imported: scope.imported.filter(({ key, date }) => hasDays && key === null && within(midnight(date, zone))),
    },
    zone,
  );
  const facts = scope.credited.filter(({ at }) => within(at));
  const reached = someOf(outcomesIn(scope, query.goal)(facts, numbers.visitors ?? 0), shownOutcomes(scope, query));
  return { start: new Date(start).toISOString(), label, partial, ...numbers, ...reached };
}

/**
 * Returns the compared bucket of each bucket: weeks and months by shifting their starts, shorter ones by shifting their
 * labels. When the comparison has another length, buckets are matched by position.
 */
function comparedBuckets(buckets: Bucket[], before: Selection, interval: Interval, query: WithGoal): (Bucket | null)[] {
  const { earlier, zone, start, end } = before.range;
  if (!earlier) {
    const own = series(before, interval, query);
    return buckets.map((_, index) => own[index] ?? null);
  }
  if (interval === "week" || interval === "month") {
    const moments = buckets.map((bucket, index) =>
      index === 0 ? start : midnight(earlier(dateAt(Date.parse(bucket.start), zone)), zone),
    );
    return moments.map((at, index) => {
      if (at >= end) return null;
      const { label, partial } = buckets[index] as Bucket;
      const until = Math.min(moments[index + 1] ?? end, end);
      return numbersIn(before, { start: at, end: until, label: earlier(label), partial }, interval, query);
    });
  }
  const previous = series(before, interval, query);
  return buckets.map(({ label }) => {
    const name = `${earlier(label.slice(0, 10))}${label.slice(10)}`;
    return previous.findLast((bucket) => bucket.label === name) ?? null;
  });
}

export interface Explored {
  metrics: Measure[];
  dimensions: BreakdownKey[];
  goal?: string | undefined;
  sort?: string;
  limit: number;
  page: number;
}

const OF_WHOLE_VISITS: readonly Measure[] = ["bounce_rate", "visit_duration", "views_per_visit"];
const OF_CONVERSIONS: readonly Outcome[] = ["conversions", "conversion_rate", "conversion_value"];
const OF_MONEY: readonly Outcome[] = ["revenue", "orders", "average_order_value"];
export const measureNames = Object.keys(MEASURES) as Measure[];

/** A row with what its visits led to. */
interface Measured {
  values: (string | null)[];
  numbers: Numbers & Outcomes["numbers"];
  conversions: number;
  sales: number;
}

/** Returns the rows of a scope. @param whole the scope in which an order counts once. */
function measuredRows(scope: Selection, { dimensions, goal }: Explored, whole = scope): Measured[] {
  const outcomesOf = outcomesIn(whole, goal);
  const measured = (values: Measured["values"], facts: readonly Fact[], numbers: Numbers): Measured => {
    const { numbers: reached, ...counts } = outcomesOf(facts, numbers.visitors ?? 0);
    return { values, numbers: { ...numbers, ...reached }, ...counts };
  };
  if (dimensions.length === 0) return [measured([], scope.credited, headline(scope))];
  const reached = creditedBy(scope, dimensions);
  const rows = groupsBy(scope, dimensions);
  const isRow = (values: Measured["values"]) =>
    rows.some((row) => JSON.stringify(row.values) === JSON.stringify(values));
  const further = groupsBy({ ...scope, visits: [], imported: [], facts: scope.credited }, dimensions)
    .filter(({ values }) => !isRow(values))
    .map((row) => ({ ...row, facts: [], ...(row.seen && { seen: [] }) }));
  return [...rows, ...further].map(({ values, ...counted }) =>
    measured(values, reached(values), numbersOf(counted, scope.range.zone)),
  );
}

export function explore(query: Query & Explored, known: Known): object {
  const { scope, before } = select(query, known);
  const { metrics, dimensions, limit, page } = query;
  const answerRow = (row: Measured) => ({
    values: row.values,
    ...Object.fromEntries(metrics.map((name) => [name, row.numbers[name]])),
  });
  const [first] = metrics as [Measure];
  const ofConversions = metrics.some((name) => OF_CONVERSIONS.some((one) => one === name));
  const answered = {
    currency: metrics.some(
      (name) => name === "revenue" || name === "average_order_value" || name === "conversion_value",
    )
      ? REPORTING
      : null,
    conversions_of: !ofConversions ? null : query.goal ? "goal" : known.goals.length > 0 ? "goals" : "events",
  };
  if (dimensions.length === 0) {
    const only = (of: Selection) => (page === 1 ? measuredRows(of, query).map(answerRow) : []);
    return {
      ...answered,
      truncated: false,
      rows: only(scope),
      comparison: before && only(before),
      series: seriesOf(
        scope,
        (part) => ({
          values:
            page === 1
              ? measuredRows(part, query, scope).flatMap(({ numbers }) => metrics.map((name) => numbers[name]))
              : [],
        }),
        true,
      ),
    };
  }
  const sorted = measuredRows(scope, query)
    .filter(hasAny(metrics))
    .sort(sortedBy(query.sort ?? `-${first}`));
  const rows = sorted.slice((page - 1) * limit, page * limit);
  const others = before && measuredRows(before, query).filter(hasAny(metrics));
  const twin = (row: Measured) => others?.find(({ values }) => JSON.stringify(values) === JSON.stringify(row.values));
  return {
    ...answered,
    truncated: sorted.length > page * limit,
    rows: rows.map(answerRow),
    comparison:
      others &&
      rows.map((row) => {
        const found = twin(row);
        return found ? answerRow(found) : null;
      }),
    series: seriesOf(
      scope,
      (part) => {
        const parts = measuredRows(part, query, scope);
        const [nothing] = measuredRows(emptySelection(part), { ...query, dimensions: [] }, scope);
        const numberOf = ({ values }: Measured) =>
          (parts.find((row) => JSON.stringify(row.values) === JSON.stringify(values)) ?? nothing)?.numbers[first] ??
          null;
        return { values: rows.slice(0, 5).map(numberOf) };
      },
      true,
    ),
  };
}

const emptySelection = (scope: Selection): Selection => ({
  ...scope,
  visits: [],
  facts: [],
  credited: [],
  imported: [],
});

/** Keeps rows for which at least one of the metrics has data. */
function hasAny(metrics: Measure[]) {
  const asks = (...names: readonly Measure[]) => metrics.some((name) => names.includes(name));
  const ofVisitors = asks("visitors", "conversion_rate");
  const ofVisits = asks("visits", ...OF_WHOLE_VISITS);
  const ofEvents = asks("pageviews", "events", "time_on_page", "views_per_visit");
  return ({ numbers, conversions, sales }: Measured) =>
    (ofVisitors && numbers.visitors) ||
    (ofVisits && (numbers.visits || numbers.visitors)) ||
    (ofEvents && (numbers.pageviews || numbers.events)) ||
    (asks("scroll_depth") && numbers.scroll_depth !== null) ||
    (asks(...OF_CONVERSIONS) && conversions > 0) ||
    (asks(...OF_MONEY) && sales > 0);
}

function sortedBy(sort: string) {
  const metric = sort.replace(/^-/, "") as Measure;
  const direction = sort.startsWith("-") ? -1 : 1;
  return (a: Measured, b: Measured) => {
    const [one, other] = [a.numbers[metric], b.numbers[metric]];
    if (one === other) return byValues(a, b);
    if (one === null) return 1;
    if (other === null) return -1;
    return (one - other) * direction;
  };
}

/** Returns whether these metrics are available by these dimensions. */
export const fits = (metrics: Measure[], dimensions: BreakdownKey[]): boolean =>
  !metrics.some((name) => OF_WHOLE_VISITS.includes(name)) || !dimensions.some(isOfEvents);
