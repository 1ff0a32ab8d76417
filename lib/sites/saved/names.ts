import { z } from "zod";
import type { Db } from "@/lib/platform/db";

const withId = z.array(z.object({ id: z.uuid(), name: z.string() }));

/** Saved objects of a site, with the ids and names that reports accept. */
export const savedNamesShape = z.object({
  segments: withId.meta({ description: "Use the id as the parameter `segment` of any report" }),
  dashboards: withId.meta({ description: "Use the id as the parameter `dashboard` of any report" }),
  goals: z
    .array(z.object({ id: z.int(), name: z.string(), kind: z.enum(["event", "page"]), pattern: z.string() }))
    .meta({ description: "Use the name in the filter `goal:<name>`" }),
  funnels: withId.meta({ description: "Use the name as the parameter `funnel`" }),
  experiments: withId.meta({ description: "Use the name in analytics.experiments" }),
});

/** Lists all saved objects of a site by name. */
export async function listSavedNames(db: Db, siteId: number): Promise<z.infer<typeof savedNamesShape>> {
  const query = { where: { siteId }, orderBy: { name: "asc" } } as const;
  const named = { ...query, select: { id: true, name: true } } as const;
  const [segments, dashboards, goals, funnels, experiments] = await Promise.all([
    db.segment.findMany(named),
    db.dashboard.findMany(named),
    db.goal.findMany({ ...query, select: { id: true, name: true, kind: true, pattern: true } }),
    db.funnel.findMany(named),
    db.experiment.findMany(named),
  ]);
  return { segments, dashboards, goals, funnels, experiments };
}
