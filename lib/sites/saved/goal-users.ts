import type { Db, Prisma } from "@/lib/platform/db";
import { canonicalName } from "@/lib/platform/names";

/** What refers to a goal by its name: filters of segments, dashboards and alert rules, alert rules and experiments. */

type Filters = Record<string, Prisma.InputJsonValue>;

/** A saved object with filters. */
interface Filtering {
  /** Such as "the segment Signed up". */
  user: string;
  filters: Filters;
  write(filters: Filters): Promise<unknown>;
}

async function filteringIn(tx: Db, siteId: number): Promise<Filtering[]> {
  const where = { siteId };
  const [segments, dashboards, rules] = [
    await tx.segment.findMany({ where }),
    await tx.dashboard.findMany({ where }),
    await tx.alertRule.findMany({ where }),
  ];
  return [
    ...segments.map(({ id, name, filters }) => ({
      ...{ user: `the segment ${name}`, filters: filters as Filters },
      write: (data: Filters) => tx.segment.update({ where: { id }, data: { filters: data } }),
    })),
    ...dashboards.map(({ id, name, filters }) => ({
      ...{ user: `the dashboard ${name}`, filters: filters as Filters },
      write: (data: Filters) => tx.dashboard.update({ where: { id }, data: { filters: data } }),
    })),
    ...rules.map(({ id, name, filters }) => ({
      ...{ user: `the alert rule ${name}`, filters: filters as Filters },
      write: (data: Filters) => tx.alertRule.update({ where: { id }, data: { filters: data } }),
    })),
  ];
}

const isOf = (key: string, goal: string): boolean =>
  key.startsWith("goal:") && canonicalName(key.slice("goal:".length)) === canonicalName(goal);

const has = ({ filters }: Filtering, goal: string): boolean => Object.keys(filters).some((key) => isOf(key, goal));

/** The rows of a table that name a goal, which may be from before names had a canonical form. */
const named = (siteId: number, goal: string) => ({ siteId, goal: { in: [goal, canonicalName(goal)] } });

/** Returns what uses a goal of a site by name. */
export async function usersOfGoal(tx: Db, siteId: number, goal: string): Promise<string[]> {
  const where = named(siteId, goal);
  const filtering = (await filteringIn(tx, siteId)).filter((one) => has(one, goal)).map(({ user }) => user);
  const experiments = (await tx.experiment.findMany({ where })).map(({ name }) => `the experiment ${name}`);
  const rules = (await tx.alertRule.findMany({ where })).map(({ name }) => `the alert rule ${name}`);
  return [...new Set([...filtering, ...experiments, ...rules])];
}

/** Returns what filters by a goal and by the event that its new name means until then: one filter cannot hold both. */
export const usersOfBoth = async (tx: Db, siteId: number, goal: string, becomes: string): Promise<string[]> =>
  (await filteringIn(tx, siteId)).filter((one) => has(one, goal) && has(one, becomes)).map(({ user }) => user);

/** Gives a goal its new name wherever a name refers to it, so that all of this means the same as before. */
export async function renameInUsers(tx: Db, siteId: number, goal: string, becomes: string): Promise<void> {
  for (const one of (await filteringIn(tx, siteId)).filter((row) => has(row, goal))) {
    const renamed = Object.entries(one.filters).map(([key, value]) => [
      isOf(key, goal) ? `goal:${becomes}` : key,
      value,
    ]);
    await one.write(Object.fromEntries(renamed));
  }
  const where = named(siteId, goal);
  await tx.experiment.updateMany({ where, data: { goal: becomes } });
  await tx.alertRule.updateMany({ where, data: { goal: becomes } });
}
