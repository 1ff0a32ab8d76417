import { z } from "zod";
import type { Db } from "@/lib/platform/db";

const withId = (description: string, name: string) =>
  z
    .array(z.object({ id: z.uuid(), name: z.string() }))
    .meta({ description, examples: [[{ id: "0b7c1f5e-6f0a-4c3e-9b1d-2f4a6c8e0d12", name }]] });

/** Saved objects of a site, with the ids and names that reports accept. */
export const savedNamesShape = z.object({
  segments: withId("Use the id as the parameter `segment` of any report", "French blog readers"),
  dashboards: withId("Use the id as the parameter `dashboard` of any report", "Mornings"),
  goals: z
    .array(z.object({ id: z.int(), name: z.string(), kind: z.enum(["event", "page"]), pattern: z.string() }))
    .meta({
      description: "Use the name in the filter `goal:<name>`",
      examples: [[{ id: 7, name: "Signup", kind: "event", pattern: "Signup" }]],
    }),
  funnels: withId("Use the name as the parameter `funnel`", "Signing up"),
  experiments: withId("Use the name in analytics.experiments", "checkout"),
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
