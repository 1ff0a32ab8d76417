import { db } from "@/lib/platform/db";
import { canonicalName } from "@/lib/platform/names";

/** A goal of a site: an event by its name, or a page by its path pattern. */
export interface Goal {
  name: string;
  kind: "event" | "page";
  /** The event's name, or a path pattern with `*` and `**`. */
  pattern: string;
}

/** A site's goal, also one that was saved before names had a canonical form; any other name is that of an event. */
export async function goalNamed(siteId: number, typed: string): Promise<Goal> {
  const name = canonicalName(typed);
  const goal = await db().goal.findFirst({ where: { siteId, name: { in: [typed, name] } }, orderBy: { id: "asc" } });
  return goal ?? { name, kind: "event", pattern: name };
}

const MOST_GOALS = 50;

/** The goals of a site in the order of their names, the first 50 of them. */
export async function goalsOf(siteId: number): Promise<Goal[]> {
  const goals = await db().goal.findMany({ where: { siteId }, orderBy: { name: "asc" }, take: MOST_GOALS });
  return goals.map(({ name, kind, pattern }) => ({ name, kind, pattern }));
}
