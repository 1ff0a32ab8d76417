import type { Operator } from "@/lib/analytics/query/conditions";
import { stepIn } from "@/lib/contract/funnel-notation";
import { db, type Prisma } from "@/lib/platform/db";
import { canonicalName } from "@/lib/platform/names";
import { readPath } from "@/lib/platform/path-patterns";
import { LONGEST_PATH } from "@/lib/platform/text";

/** What reaches a goal: an event by its name, or a page by its path pattern. */
export interface Way {
  kind: "event" | "page";
  /** The event's name, or a path pattern with `*` and `**`. */
  pattern: string;
}

/** A condition on a property of the event that reaches a goal. */
export interface PropertyCondition {
  property: string;
  operator: Exclude<Operator, "matches">;
  values: string[];
}

/** What reaching a goal is worth, in the reporting currency. */
export type GoalValue =
  /** An amount as decimal text, for each conversion. */
  | { of: "amount"; amount: string }
  /** The number that the event has in a property; 0 for anything else. */
  | { of: "property"; property: string }
  /** The revenue of the event. An order that is sent again has none. */
  | { of: "revenue" };

/** A goal of a site. */
export interface Goal extends Way {
  name: string;
  /** Other events and pages that reach it too. */
  also: Way[];
  /** All of which the event must meet. */
  properties: PropertyCondition[];
  value: GoalValue | null;
}

/** What reaches a goal that is not saved: a page or event written as a step of a funnel, or the event of that name. */
function wayOf(name: string): Way {
  const step = stepIn(name) ?? { kind: "event", pattern: name };
  const read = step.kind === "page" ? readPath(step.pattern, LONGEST_PATH) : step;
  return "pattern" in read ? { kind: step.kind, pattern: read.pattern } : { kind: "event", pattern: name };
}

/** A site's goal, also one that was saved before names had a canonical form; any other name is a page or an event. */
export async function goalNamed(siteId: number, typed: string): Promise<Goal> {
  const name = canonicalName(typed);
  const goal = await db().goal.findFirst({ where: { siteId, name: { in: [typed, name] } }, orderBy: { id: "asc" } });
  return goal ? goalOf(goal) : { name, ...wayOf(name), also: [], properties: [], value: null };
}

const MOST_GOALS = 50;

/** The goals of a site in the order of their names, the first 50 of them. */
export async function goalsOf(siteId: number): Promise<Goal[]> {
  const goals = await db().goal.findMany({ where: { siteId }, orderBy: { name: "asc" }, take: MOST_GOALS });
  return goals.map(goalOf);
}

/** What converts: the chosen goal or event, or else the goals of the site; none where any counted event does. */
export const convertingGoals = async (siteId: number, chosen: string | null = null): Promise<Goal[]> =>
  chosen === null ? goalsOf(siteId) : [await goalNamed(siteId, chosen)];

/** Returns what a conversion is, and the name of the chosen goal. */
export function conversionBasis(goals: readonly Goal[], chosen: string | null = null) {
  if (chosen !== null) return { basis: "goal" as const, goal: goals[0]?.name ?? null };
  return { basis: goals.length > 0 ? ("goals" as const) : ("events" as const), goal: null };
}

/** A goal as it is stored; `lib/sites/saved/goals.ts` has checked it. */
const goalOf = ({ name, kind, pattern, also, properties, value }: Prisma.GoalGetPayload<object>): Goal => ({
  ...{ name, kind, pattern },
  also: also as unknown as Way[],
  properties: properties as unknown as PropertyCondition[],
  value: Object.keys(value as object).length > 0 ? (value as unknown as GoalValue) : null,
});

/** Everything that reaches a goal. */
export const waysOf = ({ kind, pattern, also }: Way & Partial<Pick<Goal, "also">>): Way[] => [
  { kind, pattern },
  ...(also ?? []),
];
