import { commerceNames } from "@/lib/analytics/commerce-names";
import { COUNTED_EVENTS } from "@/lib/analytics/event-types";
import { type Chosen, ofTypes, reachedBy } from "@/lib/analytics/filters";
import type { Goal } from "@/lib/analytics/goals";
import { ints } from "@/lib/analytics/number-lists";
import { type Db, db, Prisma, reports } from "@/lib/db";

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

/** What counts as a conversion on a site without goals: every event that counts, except refunds. */
export async function defaultConversion(database: Pick<Db, "$queryRaw">, siteId: number): Promise<Chosen> {
  const { refund } = await commerceNames(database, siteId);
  return {
    sql: Prisma.sql`(${ofTypes(COUNTED_EVENTS)} AND fact.name <> ALL(${ints(refund)}))`,
    test: { column: "name", ids: new Set(refund), negated: true, types: COUNTED_EVENTS },
  };
}

/** The events that convert on a site: those that reach any of its goals, or the default without goals. */
export const conversionEvents = async (siteId: number, goals: readonly Reached[]): Promise<Chosen[]> =>
  goals.length > 0 ? goals.map(({ event }) => event) : [await defaultConversion(reports(), siteId)];

/** SQL for the events that meet any of these conditions; there must be one. */
export const anyOf = (events: readonly Chosen[]): Prisma.Sql =>
  Prisma.sql`(${Prisma.join(
    events.map(({ sql }) => sql),
    " OR ",
  )})`;

/** Converters by visitors, at most 1: a visit that ran over midnight can make more converters than visitors of a day. */
export const conversionRate = (converters: number, visitors: number): number | null =>
  visitors > 0 ? Math.min(1, converters / visitors) : null;
