import { valueOfVisit } from "@/lib/testing/oracle/dimensions";
import {
  type Fact,
  isBounce,
  isInteraction,
  isNamed,
  isPresence,
  isView,
  type Visit,
} from "@/lib/testing/oracle/facts";
import { goalOf, reaches, type SavedGoal } from "@/lib/testing/oracle/filters";
import { headline, ratio, sum, visitorsOf } from "@/lib/testing/oracle/metrics";
import { asMoney, earned, type Money, type Sale, salesOf, unconverted, worthOf } from "@/lib/testing/oracle/money";
import { bucketsOf, type Known, naturalInterval, type Query, type Selection, select } from "@/lib/testing/oracle/query";
import { seriesOf } from "@/lib/testing/oracle/series";

/** Expected answers of campaigns and events. */

export const conversionRate = (converters: number, visitors: number): number | null =>
  visitors > 0 ? Math.min(1, converters / visitors) : null;

/** Sorts rows by sizes, largest first, then by texts, nulls last. */
export function ranked<Row>(rows: Row[], sizes: (row: Row) => number[], texts: (row: Row) => (string | null)[]): Row[] {
  return rows.sort((a, b) => {
    for (const [index, size] of sizes(a).entries()) {
      const other = sizes(b)[index] ?? 0;
      if (size !== other) return other - size;
    }
    for (const [index, value] of texts(a).entries()) {
      const other = texts(b)[index] ?? null;
      if (value === other) continue;
      if (value === null) return 1;
      return other === null || value < other ? -1 : 1;
    }
    return 0;
  });
}

/** Returns whether an event reaches a goal or, on a site without goals, is an interaction other than a refund. */
export const converts = (fact: Fact, { goals }: Known): boolean =>
  goals.length > 0 ? goals.some((goal) => reaches(fact, goal)) : isInteraction(fact) && fact.name !== "refund";

export interface WithGoal extends Query {
  goal?: string | undefined;
}

/** Selects as `select` does; where a goal is chosen, only this one converts. */
export function selectWithGoal(query: WithGoal, known: Known): ReturnType<typeof select> {
  const { goal } = query;
  const ofGoal = (scope: Selection): Selection =>
    goal === undefined ? scope : { ...scope, known: { ...scope.known, goals: [goalOf(goal, scope.known.goals)] } };
  const { scope, before } = select(query, known);
  return { scope: ofGoal(scope), before: before && ofGoal(before) };
}

/** Returns what a conversion is. */
export function basisOf({ goals }: Known, goal: string | undefined): "goal" | "goals" | "events" {
  if (goal !== undefined) return "goal";
  return goals.length > 0 ? "goals" : "events";
}

/** Returns the value of conversions; null where no goal has one. */
const worthIfAny = (goals: readonly SavedGoal[], facts: readonly Fact[], sales: readonly Sale[]): Money | null =>
  goals.some(({ value }) => value) ? asMoney(worthOf(goals, facts, sales)) : null;

/** Groups visits, events and sales by a key. */
function acquisitionBy(scope: Selection, keyOf: (visit: Visit) => string | null) {
  const { visits, facts, credited, range, known } = scope;
  const sales = salesOf(scope);
  const keys = new Set([...visits.map(keyOf), ...[...facts, ...credited].map(({ visit }) => keyOf(visit))]);
  return [...keys].flatMap((key) => {
    if (key === null) return [];
    const mine = visits.filter((visit) => keyOf(visit) === key);
    const theirs = facts.filter(({ visit }) => keyOf(visit) === key);
    const converted = credited.filter((fact) => keyOf(fact.visit) === key && converts(fact, known));
    const sold = sales.filter(({ fact }) => keyOf(fact.visit) === key);
    const visitors = visitorsOf(theirs.filter(isPresence), range.zone);
    const converters = visitorsOf(converted, range.zone);
    return [
      {
        key,
        visits: mine,
        facts: theirs,
        isCredited: scope.query.attribution === "first" && (converted.length > 0 || sold.length > 0),

        numbers: {
          visitors,
          visits: mine.length,
          bounce_rate: ratio(mine.filter(isBounce).length, mine.length),
          pageviews: theirs.filter(isView).length,
          conversions: converted.length,
          converters,
          conversion_rate: conversionRate(converters, visitors),
          revenue: earned(sold),
          conversion_value: worthIfAny(
            known.goals,
            credited.filter((fact) => keyOf(fact.visit) === key),
            sold,
          ),
        },
      },
    ];
  });
}

/** Returns the campaign tags of a visit as JSON; null without a campaign. */
export const tagsOf = ({ first: { campaign } }: Visit) => {
  if (!campaign) return null;
  const { source, medium, campaign: name, term, content } = campaign;
  return JSON.stringify([source, medium, name, term, content].map((value) => value || null));
};

function campaignsOf(scope: Selection) {
  // A campaign is listed when it has visits, visitors, page views or conversions.
  const rows = acquisitionBy(scope, tagsOf).filter(({ visits, facts, isCredited }) => {
    return isCredited || visits.length > 0 || facts.some((fact) => isPresence(fact) || converts(fact, scope.known));
  });
  const sorted = ranked(
    rows,
    ({ numbers }) => [numbers.visitors, numbers.visits],
    ({ key }) => JSON.parse(key),
  );
  return sorted.map(({ key, numbers }) => {
    const [source, medium, campaign, term, content] = JSON.parse(key);
    return { key, row: { source, medium, campaign, term, content, ...numbers } };
  });
}

function channelsOf(scope: Selection) {
  const rows = acquisitionBy(scope, (visit) => valueOfVisit(visit, "channel")).filter(
    ({ visits, facts, isCredited }) => isCredited || visits.length > 0 || facts.some(isPresence),
  );
  const sorted = ranked(
    rows,
    ({ numbers }) => [numbers.visitors, numbers.visits],
    ({ key }) => [key],
  );
  return sorted.map(({ key, numbers, visits }) => {
    const rules = [...new Set(visits.map(({ first }) => first.referrer.rule))].map((rule) => ({
      rule,
      visits: visits.filter(({ first }) => first.referrer.rule === rule).length,
    }));
    const sortedRules = ranked(
      rules,
      ({ visits }) => [visits],
      ({ rule }) => [rule],
    );
    return { key, row: { channel: key, rules: sortedRules, ...numbers } };
  });
}

export function campaigns(query: WithGoal, known: Known): object {
  const { scope, before } = selectWithGoal(query, known);
  const [rows, channels] = [campaignsOf(scope), channelsOf(scope)];
  const beside = (now: { key: string }[], then: { key: string; row: object }[]) =>
    now.map(({ key }) => then.find((one) => one.key === key)?.row ?? null);
  return {
    conversions_of: basisOf(known, query.goal),
    goal: query.goal ?? null,
    campaigns: rows.map(({ row }) => row),
    channels: channels.map(({ row }) => row),
    comparison: before && {
      campaigns: beside(rows, campaignsOf(before)),
      channels: beside(channels, channelsOf(before)),
    },
    unconverted: unconverted(salesOf(scope)),
    series: seriesOf(scope, ({ visits }) => ({
      visits: visits.length,
      channels: topValues(scope.visits, "channel").map((channel) => ({
        channel,
        visits: visits.filter((visit) => (valueOfVisit(visit, "channel") || null) === channel).length,
      })),
      campaigns: topTags(scope.visits).map((tags) => {
        const [source, medium, campaign, term, content] = JSON.parse(tags);
        return {
          source,
          medium,
          campaign,
          term,
          content,
          visits: visits.filter((visit) => tagsOf(visit) === tags).length,
        };
      }),
    })),
  };
}

/** Returns the tags of the five campaigns with the most visits. */
function topTags(visits: readonly Visit[]): string[] {
  const rows = [...new Set(visits.flatMap((visit) => tagsOf(visit) ?? []))].map((tags) => ({
    tags,
    visits: visits.filter((visit) => tagsOf(visit) === tags).length,
  }));
  const sorted = ranked(
    rows,
    (row) => [row.visits],
    (row) => JSON.parse(row.tags),
  );
  return sorted.slice(0, 5).map(({ tags }) => tags);
}

/** Returns the five values with the most visits. */
export function topValues(visits: readonly Visit[], key: "channel" | "source"): (string | null)[] {
  const texts = [...new Set(visits.map((visit) => valueOfVisit(visit, key) || null))].map((value) => ({
    value,
    visits: visits.filter((visit) => (valueOfVisit(visit, key) || null) === value).length,
  }));
  const sorted = ranked(
    texts,
    (row) => [row.visits],
    (row) => [row.value],
  );
  return sorted.slice(0, 5).map(({ value }) => value);
}

function numbersOf(scope: Selection, meets: (fact: Fact) => boolean, all: number) {
  const facts = scope.facts.filter(meets);
  const visitors = visitorsOf(facts, scope.range.zone);
  return {
    count: facts.length,
    visitors,
    conversion_rate: conversionRate(visitors, all),
    revenue: earned(salesOf(scope).filter(({ fact }) => meets(fact))),
  };
}

const isCalled = (name: string) => (fact: Fact) => isNamed(fact) && fact.name === name;

/** Returns the numbers of an event. A refund is not a conversion and has no rate. */
function numbersOfEvent(scope: Selection, name: string, all: number) {
  const imported = scope.imported.filter(({ key, value }) => key === "event" && value === name);
  const { count, visitors, revenue } = numbersOf(scope, isCalled(name), all);
  const people = visitors + sum(imported.map((one) => one.visitors));
  return {
    count: count + sum(imported.map(({ events }) => events ?? 0)),
    visitors: people,
    conversion_rate: name === "refund" ? null : conversionRate(people, all),
    revenue,
  };
}

function eventsOf(scope: Selection) {
  const imported = scope.imported.filter(({ key }) => key === "event").map(({ value }) => value);
  const names = new Set([...scope.facts.filter(isNamed).flatMap(({ name }) => name ?? []), ...imported]);
  const all = headline(scope).visitors ?? 0;
  return ranked(
    [...names].map((event) => ({ event, ...numbersOfEvent(scope, event, all) })),
    ({ visitors, count }) => [visitors, count],
    ({ event }) => [event],
  );
}

export function events(query: Query & { event?: string }, known: Known): object {
  const { scope, before } = select(query, known);
  const visitors = headline(scope).visitors ?? 0;
  const rows = eventsOf(scope);
  const earlier = before && eventsOf(before);
  const goals = [...known.goals].sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    visitors,
    events: rows,
    comparison: earlier && rows.map(({ event }) => earlier.find((one) => one.event === event) ?? null),
    goals: goals.map((goal) => ({
      goal: goal.name,
      kind: goal.kind,
      pattern: goal.pattern,
      ...numbersOf(scope, (fact) => reaches(fact, goal), visitors),
      conversion_value: worthIfAny([goal], scope.facts, salesOf(scope)),
    })),
    unconverted: unconverted(salesOf(scope)),
    event: query.event === undefined ? null : detailOf(scope, query, query.event, visitors),
    series: seriesOf(scope, (part) => ({
      visitors: headline(part).visitors ?? 0,
      goals: goals.map((goal) => ({ goal: goal.name, count: part.facts.filter((fact) => reaches(fact, goal)).length })),
    })),
  };
}

function detailOf(scope: Selection, query: Query, name: string, all: number): object {
  const { range } = scope;
  const facts = scope.facts.filter(isCalled(name));
  const sales = salesOf(scope).filter(({ fact }) => isCalled(name)(fact));
  const buckets = bucketsOf(range, naturalInterval(range, query));
  return {
    event: name,
    ...numbersOfEvent(scope, name, all),
    series: buckets.map(({ start, end, label, partial }) => {
      const within = (at: number) => start <= at && at < end;
      const those = facts.filter(({ at }) => within(at));
      return {
        start: new Date(start).toISOString(),
        label,
        partial,
        count: those.length,
        visitors: visitorsOf(those, range.zone),
        revenue: earned(sales.filter(({ fact }) => within(fact.at))),
      };
    }),
    properties: propertiesOf(facts, range.zone),
    pages: valuesOf(facts, range.zone, ({ page }) => page?.path ?? null),
    sources: valuesOf(facts, range.zone, ({ visit }) => visit.first.referrer.source || null),
  };
}

function valuesOf(facts: Fact[], zone: string, valueFor: (fact: Fact) => string | null): object[] {
  const rows = [...new Set(facts.map(valueFor))].map((value) => {
    const those = facts.filter((fact) => valueFor(fact) === value);
    return { value, count: those.length, visitors: visitorsOf(those, zone) };
  });
  const sorted = ranked(
    rows,
    ({ visitors, count }) => [visitors, count],
    ({ value }) => [value],
  );
  return sorted.slice(0, 10);
}

function propertiesOf(facts: Fact[], zone: string): object[] {
  const keys = new Set(facts.flatMap(({ props }) => Object.keys(props ?? {})));
  const rows = [...keys].map((key) => {
    const having = facts.filter(({ props }) => (props?.[key] ?? null) !== null);
    const texts = new Set(having.map(({ props }) => asText(props?.[key])));
    const values = [...texts].map((value) => {
      const those = having.filter(({ props }) => asText(props?.[key]) === value);
      return { value, count: those.length, visitors: visitorsOf(those, zone) };
    });
    const sorted = ranked(
      values,
      ({ count }) => [count],
      ({ value }) => [value],
    );
    const numbers = { count: having.length, visitors: visitorsOf(having, zone) };
    return { key, ...numbers, values: sorted.slice(0, 10), more: values.length > 10 };
  });
  return ranked(
    rows,
    ({ count }) => [count],
    ({ key }) => [key],
  );
}

/** Returns a value as text; objects and arrays as Postgres writes jsonb: short keys first, a space after each colon. */
function asText(value: unknown): string {
  if (typeof value !== "object" || value === null) return `${value}`;
  return json(value);
}

function json(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(json).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .sort(([a], [b]) => byteLength(a) - byteLength(b) || Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map(([key, one]) => `${JSON.stringify(key)}: ${json(one)}`)
    .join(", ")}}`;
}

const byteLength = (text: string): number => Buffer.byteLength(text);
