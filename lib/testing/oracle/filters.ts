import type { Operator } from "@/lib/analytics/query/conditions";
import { type DimensionKey, isDimension } from "@/lib/analytics/query/dimensions";
import { isOfEvents, valueOfFact, valueOfVisit } from "@/lib/testing/oracle/dimensions";
import { type Fact, isNamed, isView, productsIn, type Visit } from "@/lib/testing/oracle/facts";

/** Filters as a caller sends them: a value, several, or an object of operators. */
export type SentFilters = Record<string, string | string[] | Partial<Record<Operator, string[]>>>;

interface SavedWay {
  kind: "event" | "page";
  pattern: string;
}

export interface SavedGoal extends SavedWay {
  name: string;
  also?: SavedWay[];
  properties?: { property: string; operator: Operator; values: string[] }[];
  value?: { of: "amount"; amount: string } | { of: "property"; property: string } | { of: "revenue" };
}

interface Condition {
  key: string;
  operator: Operator;
  values: string[];
}

const conditionsOf = (filters: SentFilters): Condition[] =>
  Object.entries(filters).flatMap(([key, sent]) => {
    if (typeof sent === "string") return [{ key, operator: "is" as const, values: [sent] }];
    if (Array.isArray(sent)) return [{ key, operator: "is" as const, values: sent }];
    return Object.entries(sent).map(([operator, values]) => ({
      key,
      operator: operator as Operator,
      // Hosts have no case.
      values: key === "hostname" && operator !== "matches" ? values.map((value) => value.toLowerCase()) : values,
    }));
  });

function meets(actual: string, { operator, values }: Condition): boolean {
  switch (operator) {
    case "is":
      return values.includes(actual);
    case "is_not":
      return !values.includes(actual);
    case "contains":
      return values.some((value) => actual.includes(value));
    case "not_contains":
      return !values.some((value) => actual.includes(value));
    case "starts_with":
      return values.some((value) => actual.startsWith(value));
    case "matches":
      return values.some((value) => new RegExp(value).test(actual));
  }
}

/** The visits and events that match the filters of a query. */
export interface Matcher {
  visit(visit: Visit): boolean;
  fact(fact: Fact): boolean;
  /** An event that meets all conditions on events, whatever its visit. */
  event(fact: Fact): boolean;
  /** An event in a matching visit, for paths and sequences. */
  activity(fact: Fact): boolean;
}

export interface FilterContext {
  filters: SentFilters[];
  goals: readonly SavedGoal[];
  titles: ReadonlyMap<string, string>;
  /** All events of the range in every traffic class, in which goals are looked for. */
  inRange: readonly Fact[];
  /** Returns the local day of an instant. */
  dayOf(at: number): string;
}

export function matcherOf({ filters, goals, titles, inRange, dayOf }: FilterContext): Matcher {
  const all = filters.flatMap(conditionsOf);
  const dimensions = all.filter(({ key }) => isDimension(key));
  const ofVisits = dimensions.filter(({ key }) => !isOfEvents(key as DimensionKey));
  const ofEvents = all.filter(
    ({ key }) => key === "product" || key.startsWith("prop:") || isOfEvents(key as DimensionKey),
  );
  const ofGoals = all
    .filter(({ key }) => key.startsWith("goal:"))
    .map(({ key, values }) => ({
      wanted: values[0] === "yes",
      reached: new Set(
        inRange
          .filter((fact) => reaches(fact, goalOf(key.slice(5), goals)))
          .map((fact) => dayKey(fact.visitor, fact.at)),
      ),
    }));
  function dayKey(visitor: string, at: number) {
    return `${visitor} @ ${dayOf(at)}`;
  }
  const goalsMet = (visitor: string, at: number) =>
    ofGoals.every(({ wanted, reached }) => reached.has(dayKey(visitor, at)) === wanted);
  /** All conditions on events must hold for the same event. */
  const eventMet = (fact: Fact) => ofEvents.every((condition) => meetsAsEvent(fact, condition, titles));
  const visitMet = (fact: Fact) =>
    ofVisits.every((one) => meets(valueOfFact(fact, one.key as DimensionKey, titles), one));
  return {
    visit: (visit) =>
      ofVisits.every((one) => meets(valueOfVisit(visit, one.key as DimensionKey), one)) &&
      (ofEvents.length === 0 || visit.facts.some(eventMet)) &&
      goalsMet(visit.visitor, visit.started),
    event: eventMet,
    fact: (fact) => visitMet(fact) && eventMet(fact) && goalsMet(fact.visitor, fact.at),
    activity: (fact) =>
      visitMet(fact) && (ofEvents.length === 0 || fact.visit.facts.some(eventMet)) && goalsMet(fact.visitor, fact.at),
  };
}

function meetsAsEvent(fact: Fact, condition: Condition, titles: ReadonlyMap<string, string>): boolean {
  const { key } = condition;
  if (key.startsWith("prop:")) {
    const value = fact.props?.[key.slice(5)];
    return meets(value === undefined || value === null ? "" : `${value}`, condition);
  }
  if (key === "product") {
    const products = productsIn(fact);
    const isNegated = condition.operator === "is_not" || condition.operator === "not_contains";
    const named = products.length > 0 ? products : [""];
    return isNegated ? named.every((one) => meets(one, condition)) : named.some((one) => meets(one, condition));
  }
  // Only named events have a name: a pageview is neither "Signup" nor "not Signup".
  if (key === "event" && !isNamed(fact)) return false;
  return meets(valueOfFact(fact, key as DimensionKey, titles), condition);
}

/** Returns the goal with this name, or a goal for the page or event that it writes. */
export const goalOf = (name: string, goals: readonly SavedGoal[]): SavedGoal =>
  goals.find((goal) => goal.name === name) ??
  (name.startsWith("/")
    ? { name, kind: "page", pattern: name }
    : { name, kind: "event", pattern: name.replace(/^event:/, "") });

/** Returns whether an event reaches a goal or a step. */
export function reaches(fact: Fact, { also = [], properties = [], ...way }: SavedWay & Partial<SavedGoal>): boolean {
  const meetsAll = properties.every(({ property, ...condition }) => {
    const value = fact.props?.[property] ?? "";
    return meets(`${value}`, { key: property, ...condition });
  });
  return meetsAll && [way, ...also].some((one) => goesBy(fact, one));
}

function goesBy(fact: Fact, { kind, pattern }: SavedWay): boolean {
  if (kind === "event") return isNamed(fact) && fact.name === pattern;
  return isView(fact) && fact.page !== null && pathFits(fact.page.path, pattern);
}

/**
 * `*` matches within a segment; a last segment `**` everything below; `a**` segments that begin with a, and below them.
 */
function pathFits(path: string, pattern: string): boolean {
  const widened = /[^/]\*\*$/.test(pattern) ? `${pattern.slice(0, -1)}/**` : pattern;
  return segmentsFit(path.split("/").slice(1), widened.split("/").slice(1));
}

function segmentsFit(segments: string[], pattern: string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return segments.length === 0;
  if (first === "**") return segments.some((_, n) => segmentsFit(segments.slice(n), rest)) || segmentsFit([], rest);
  return segments.length > 0 && partFits(segments[0] as string, first) && segmentsFit(segments.slice(1), rest);
}

function partFits(text: string, pattern: string): boolean {
  if (pattern === "") return text === "";
  if (pattern[0] !== "*") return text[0] === pattern[0] && partFits(text.slice(1), pattern.slice(1));
  for (let n = 0; n <= text.length; n++) if (partFits(text.slice(n), pattern.slice(1))) return true;
  return false;
}
