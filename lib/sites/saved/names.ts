import { z } from "zod";
import type { Db } from "@/lib/platform/db";

const withId = z.array(z.object({ id: z.uuid(), name: z.string() }));

/** What a site has saved, by the ids and names under which reports take it. */
export const savedNamesShape = z.object({
  segments: withId.meta({ description: "For the parameter `segment` of every report, by id" }),
  dashboards: withId.meta({ description: "For the parameter `dashboard` of every report, by id" }),
  goals: z
    .array(z.object({ id: z.int(), name: z.string(), kind: z.enum(["event", "page"]), pattern: z.string() }))
    .meta({ description: "For the filter `goal:<name>`, by name" }),
  funnels: withId.meta({ description: "For the parameter `funnel`, by name" }),
  experiments: withId.meta({ description: "As analytics.experiments names them" }),
});

/** The names of all that a site has saved, in their order. */
export async function listSavedNames(db: Db, siteId: number): Promise<z.infer<typeof savedNamesShape>> {
  const asked = { where: { siteId }, orderBy: { name: "asc" } } as const;
  const named = { ...asked, select: { id: true, name: true } } as const;
  const [segments, dashboards, goals, funnels, experiments] = await Promise.all([
    db.segment.findMany(named),
    db.dashboard.findMany(named),
    db.goal.findMany({ ...asked, select: { id: true, name: true, kind: true, pattern: true } }),
    db.funnel.findMany(named),
    db.experiment.findMany(named),
  ]);
  return { segments, dashboards, goals, funnels, experiments };
}
