import { dateAt } from "@/lib/testing/oracle/clock";
import { wordOfVisit } from "@/lib/testing/oracle/dimensions";
import { type Fact, isBounce, isInteraction, isNamed, isView, type Visit } from "@/lib/testing/oracle/facts";
import { reaches } from "@/lib/testing/oracle/filters";
import { headline, ratio, sum } from "@/lib/testing/oracle/metrics";
import { earned, salesOf, unconverted } from "@/lib/testing/oracle/money";
import { type Asked, bucketsOf, type Known, naturalInterval, type Selection, select } from "@/lib/testing/oracle/query";
import { seriesOf } from "@/lib/testing/oracle/series";

/** What campaigns and events should say. */

/** Distinct visitors, each local day for itself. */
export const visitorsOf = (facts: readonly Fact[], zone: string): number =>
  new Set(facts.map(({ visitor, at }) => `${visitor} @ ${dateAt(at, zone)}`)).size;

export const conversionRate = (converters: number, visitors: number): number | null =>
  visitors > 0 ? Math.min(1, converters / visitors) : null;

/** Orders rows by what is larger first, then by texts, nulls last. */
export function ranked<Row>(rows: Row[], sizes: (row: Row) => number[], words: (row: Row) => (string | null)[]): Row[] {
  return rows.sort((a, b) => {
    for (const [index, size] of sizes(a).entries()) {
      const other = sizes(b)[index] ?? 0;
      if (size !== other) return other - size;
    }
    for (const [index, word] of words(a).entries()) {
      const other = words(b)[index] ?? null;
      if (word === other) continue;
      if (word === null) return 1;
      return other === null || word < other ? -1 : 1;
    }
    return 0;
  });
}

/** Whether an event reaches a goal, or on a site without goals is one that counts and no refund. */
export const converts = (fact: Fact, { goals }: Known): boolean =>
  goals.length > 0 ? goals.some((goal) => reaches(fact, goal)) : isInteraction(fact) && fact.name !== "refund";

/** The visits, events and sales of each key. */
function ledBy(scope: Selection, keyOf: (visit: Visit) => string | null) {
  const { visits, facts, range, known } = scope;
  const sales = salesOf(scope);
  const keys = new Set([...visits.map(keyOf), ...facts.map(({ visit }) => keyOf(visit))]);
  return [...keys].flatMap((key) => {
    if (key === null) return [];
    const mine = visits.filter((visit) => keyOf(visit) === key);
    const theirs = facts.filter(({ visit }) => keyOf(visit) === key);
    const converted = theirs.filter((fact) => converts(fact, known));
    const visitors = new Set(mine.map(({ visitor, started }) => `${visitor} ${dateAt(started, range.zone)}`)).size;
    const converters = visitorsOf(converted, range.zone);
    return [
      {
        key,
        visits: mine,
        facts: theirs,
        numbers: {
          visitors,
          visits: mine.length,
          bounce_rate: ratio(mine.filter(isBounce).length, mine.length),
          pageviews: theirs.filter(isView).length,
          conversions: converted.length,
          converters,
          conversion_rate: conversionRate(converters, visitors),
          revenue: earned(sales.filter(({ fact }) => keyOf(fact.visit) === key)),
        },
      },
    ];
  });
}

/** The tags of the campaign that led a visit here, as JSON; null without one. */
export const tagsOf = ({ first: { campaign } }: Visit) => {
  if (!campaign) return null;
  const { source, medium, campaign: name, term, content } = campaign;
  return JSON.stringify([source, medium, name, term, content].map((word) => word || null));
};

function campaignsOf(scope: Selection) {
  // A campaign is told where visits of it began, pages were seen, or somebody converted.
  const rows = ledBy(scope, tagsOf).filter(({ visits, facts }) => {
    return visits.length > 0 || facts.some((fact) => isView(fact) || converts(fact, scope.known));
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
  const rows = ledBy(scope, (visit) => wordOfVisit(visit, "channel")).filter(
    ({ visits, facts }) => visits.length > 0 || facts.some((fact) => isView(fact) || isInteraction(fact)),
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
    const told = ranked(
      rules,
      ({ visits }) => [visits],
      ({ rule }) => [rule],
    );
    return { key, row: { channel: key, rules: told, ...numbers } };
  });
}

export function campaigns(asked: Asked, known: Known): object {
  const { scope, before } = select(asked, known);
  const [rows, channels] = [campaignsOf(scope), channelsOf(scope)];
  const beside = (now: { key: string }[], then: { key: string; row: object }[]) =>
    now.map(({ key }) => then.find((one) => one.key === key)?.row ?? null);
  return {
    conversions_of: known.goals.length > 0 ? "goals" : "events",
    campaigns: rows.map(({ row }) => row),
    channels: channels.map(({ row }) => row),
    comparison: before && {
      campaigns: beside(rows, campaignsOf(before)),
      channels: beside(channels, channelsOf(before)),
    },
    unconverted: unconverted(salesOf(scope)),
    series: seriesOf(scope, ({ visits }) => ({
      visits: visits.length,
      channels: mostOf(scope.visits, "channel").map((channel) => ({
        channel,
        visits: visits.filter((visit) => (wordOfVisit(visit, "channel") || null) === channel).length,
      })),
      campaigns: tagsMostOf(scope.visits).map((tags) => {
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

/** The tags of the five campaigns with the most visits. */
function tagsMostOf(visits: readonly Visit[]): string[] {
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

/** The five words with the most visits. */
export function mostOf(visits: readonly Visit[], key: "channel" | "source"): (string | null)[] {
  const words = [...new Set(visits.map((visit) => wordOfVisit(visit, key) || null))].map((word) => ({
    word,
    visits: visits.filter((visit) => (wordOfVisit(visit, key) || null) === word).length,
  }));
  const sorted = ranked(
    words,
    (row) => [row.visits],
    (row) => [row.word],
  );
  return sorted.slice(0, 5).map(({ word }) => word);
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

/** A refund is no conversion, and so has no rate. */
function numbersOfEvent(scope: Selection, name: string, all: number) {
  const told = scope.imported.filter(({ key, word }) => key === "event" && word === name);
  const { count, visitors, revenue } = numbersOf(scope, isCalled(name), all);
  const people = visitors + sum(told.map((one) => one.visitors));
  return {
    count: count + sum(told.map(({ events }) => events)),
    visitors: people,
    conversion_rate: name === "refund" ? null : conversionRate(people, all),
    revenue,
  };
}

function eventsOf(scope: Selection) {
  const told = scope.imported.filter(({ key }) => key === "event").map(({ word }) => word);
  const names = new Set([...scope.facts.filter(isNamed).flatMap(({ name }) => name ?? []), ...told]);
  const all = headline(scope).visitors ?? 0;
  return ranked(
    [...names].map((event) => ({ event, ...numbersOfEvent(scope, event, all) })),
    ({ visitors, count }) => [visitors, count],
    ({ event }) => [event],
  );
}

export function events(asked: Asked & { event?: string }, known: Known): object {
  const { scope, before } = select(asked, known);
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
    })),
    unconverted: unconverted(salesOf(scope)),
    event: asked.event === undefined ? null : detailOf(scope, asked, asked.event, visitors),
    series: seriesOf(scope, ({ facts }) => ({
      goals: goals.map((goal) => ({ goal: goal.name, count: facts.filter((fact) => reaches(fact, goal)).length })),
    })),
  };
}

function detailOf(scope: Selection, asked: Asked, name: string, all: number): object {
  const { range } = scope;
  const facts = scope.facts.filter(isCalled(name));
  const sales = salesOf(scope).filter(({ fact }) => isCalled(name)(fact));
  const buckets = bucketsOf(range, naturalInterval(range, !asked.from && asked.period === "24h"));
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

function valuesOf(facts: Fact[], zone: string, wordOf: (fact: Fact) => string | null): object[] {
  const rows = [...new Set(facts.map(wordOf))].map((value) => {
    const those = facts.filter((fact) => wordOf(fact) === value);
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
    const words = new Set(having.map(({ props }) => asText(props?.[key])));
    const values = [...words].map((value) => {
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

/** A value as text, what nests as JSON in Postgres' spelling. */
function asText(value: unknown): string {
  if (typeof value !== "object" || value === null) return `${value}`;
  return json(value);
}

function json(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(json).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, one]) => `${JSON.stringify(key)}: ${json(one)}`)
    .join(", ")}}`;
}
