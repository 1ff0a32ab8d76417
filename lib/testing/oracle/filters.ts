import type { Operator } from "@/lib/analytics/query/conditions";
import { type DimensionKey, isDimension } from "@/lib/analytics/query/dimensions";
import { isOfEvents, wordOfFact, wordOfVisit } from "@/lib/testing/oracle/dimensions";
import { type Fact, isNamed, isView, type Visit } from "@/lib/testing/oracle/facts";

/** Filters as a caller writes them: a value, several, or an object of operators. */
export type SentFilters = Record<string, string | string[] | Partial<Record<Operator, string[]>>>;

export interface SavedGoal {
  name: string;
  kind: "event" | "page";
  pattern: string;
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
    return Object.entries(sent).map(([operator, values]) => ({ key, operator: operator as Operator, values }));
  });

function meets(word: string, { operator, values }: Condition): boolean {
  switch (operator) {
    case "is":
      return values.includes(word);
    case "is_not":
      return !values.includes(word);
    case "contains":
      return values.some((value) => word.includes(value));
    case "not_contains":
      return !values.some((value) => word.includes(value));
    case "starts_with":
      return values.some((value) => word.startsWith(value));
    case "matches":
      return values.some((value) => new RegExp(value).test(word));
  }
}

/** What a question narrows to, as answers about a visit and an event. */
export interface Chosen {
  visit(visit: Visit): boolean;
  fact(fact: Fact): boolean;
  /** An event of a visit that is chosen as a whole: for what follows one upon another. */
  activity(fact: Fact): boolean;
}

export interface Narrowing {
  filters: SentFilters[];
  goals: readonly SavedGoal[];
  titles: ReadonlyMap<string, string>;
  /** All events of the range, of every class of traffic: what goals are looked for in. */
  inRange: readonly Fact[];
  /** The local day of a moment. */
  dayOf(at: number): string;
}

export function chosenBy({ filters, goals, titles, inRange, dayOf }: Narrowing): Chosen {
  const all = filters.flatMap(conditionsOf);
  const dimensions = all.filter(({ key }) => isDimension(key));
  const ofVisits = dimensions.filter(({ key }) => !isOfEvents(key as DimensionKey));
  const ofEvents = all.filter(({ key }) => key.startsWith("prop:") || isOfEvents(key as DimensionKey));
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
  /** Conditions on one event, all on the same. */
  const eventMet = (fact: Fact) => ofEvents.every((condition) => meetsAsEvent(fact, condition, titles));
  const visitMet = (fact: Fact) =>
    ofVisits.every((one) => meets(wordOfFact(fact, one.key as DimensionKey, titles), one));
  return {
    visit: (visit) =>
      ofVisits.every((one) => meets(wordOfVisit(visit, one.key as DimensionKey), one)) &&
      (ofEvents.length === 0 || visit.facts.some(eventMet)) &&
      goalsMet(visit.visitor, visit.started),
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
  // A name is only had by events that carry one: a pageview is neither a Signup nor "not a Signup".
  if (key === "event" && !isNamed(fact)) return false;
  return meets(wordOfFact(fact, key as DimensionKey, titles), condition);
}

/** The goal of a name, or the event of that name. */
export const goalOf = (name: string, goals: readonly SavedGoal[]): SavedGoal =>
  goals.find((goal) => goal.name === name) ?? { name, kind: "event", pattern: name };

/** Whether an event reaches a goal or a step. */
export function reaches(fact: Fact, { kind, pattern }: Pick<SavedGoal, "kind" | "pattern">): boolean {
  if (kind === "event") return isNamed(fact) && fact.name === pattern;
  return isView(fact) && fact.page !== null && pathFits(fact.page.path, pattern);
}

/** `*` is any part of a segment; a last segment `**` is everything below; `a**` is what begins with a, and below it. */
function pathFits(path: string, pattern: string): boolean {
  const widened = /[^/]\*\*$/.test(pattern) ? `${pattern.slice(0, -1)}/**` : pattern;
  return segmentsFit(path.split("/").slice(1), widened.split("/").slice(1));
}

function segmentsFit(segments: string[], pattern: string[]): boolean {
  const [asked, ...rest] = pattern;
  if (asked === undefined) return segments.length === 0;
  if (asked === "**") return segments.some((_, n) => segmentsFit(segments.slice(n), rest)) || segmentsFit([], rest);
  return segments.length > 0 && partFits(segments[0] as string, asked) && segmentsFit(segments.slice(1), rest);
}

function partFits(text: string, pattern: string): boolean {
  if (pattern === "") return text === "";
  if (pattern[0] !== "*") return text[0] === pattern[0] && partFits(text.slice(1), pattern.slice(1));
  for (let n = 0; n <= text.length; n++) if (partFits(text.slice(n), pattern.slice(1))) return true;
  return false;
}
