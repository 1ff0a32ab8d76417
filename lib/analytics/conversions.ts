import { COUNTED_EVENTS } from "@/lib/analytics/event-types";
import { type Chosen, ofTypes, reachedBy } from "@/lib/analytics/filters";
import type { Goal } from "@/lib/analytics/goals";
import type { EventTest } from "@/lib/analytics/packed/narrowing";
import { db, Prisma } from "@/lib/db";

/** What a site counts as a conversion. */

const MOST_GOALS = 50;

/** A goal with the events that reach it. */
export interface Reached extends Goal {
  event: Chosen;
}

/** The goals of a site in the order of their names, the first 50 of them. */
export async function goalsOf(siteId: number): Promise<Reached[]> {
  const goals = await db().goal.findMany({ where: { siteId }, orderBy: { name: "asc" }, take: MOST_GOALS });
  return Promise.all(
    goals.map(async ({ name, kind, pattern }) => ({
      name,
      kind,
      pattern,
      event: await reachedBy(siteId, { kind, pattern }),
    })),
  );
}

/** SQL for the events that convert: those that reach any goal, or all that count when there is no goal. */
export const converting = (goals: readonly Reached[]): Prisma.Sql =>
  goals.length > 0
    ? Prisma.sql`(${Prisma.join(
        goals.map(({ event }) => event.sql),
        " OR ",
      )})`
    : ofTypes(COUNTED_EVENTS);

/** The same as tests of the events of packed days. */
export const convertingTests = (goals: readonly Reached[]): EventTest[] =>
  goals.length > 0 ? goals.map(({ event }) => event.test) : [{ types: COUNTED_EVENTS }];

/** Converters by visitors, at most 1: a visit that ran over midnight can make more converters than visitors of a day. */
export const conversionRate = (converters: number, visitors: number): number | null =>
  visitors > 0 ? Math.min(1, converters / visitors) : null;
