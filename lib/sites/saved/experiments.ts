import { z } from "zod";
import { siteId, untrusted } from "@/lib/contract/fields";
import type { SiteWork } from "@/lib/gateway/changes/site-revision";
import { type Db, db, type Prisma } from "@/lib/platform/db";
import { changedId, creatorId, currentOf, type Kind, remove, save, savedId, savedName } from "@/lib/sites/saved/save";

const MAX_WEIGHT = 1_000_000;
const WEIGHT = `must be a number above 0, at most ${MAX_WEIGHT}`;
const COUNT = "must be a list of 2 to 10 variants, the control first";
const MAX_NAME_LENGTH = 255;

const variantShape = z.strictObject(
  {
    name: savedName(MAX_NAME_LENGTH),
    weight: z.number(WEIGHT).gt(0, WEIGHT).max(MAX_WEIGHT, WEIGHT),
  },
  "must be an object {name, weight}",
);

/** The definition of an experiment. Its name and variant names must match those of the exposure events. */
export const experimentInput = z.strictObject({
  site_id: siteId,
  id: changedId(savedId),
  name: savedName(MAX_NAME_LENGTH),
  variants: z
    .array(variantShape, COUNT)
    .min(2, COUNT)
    .max(10, COUNT)
    .refine(
      (variants) => new Set(variants.map(({ name }) => name)).size === variants.length,
      "must have different names",
    )
    .meta({ description: "The control first. Weights are shares of the traffic." }),
  goal: savedName(MAX_NAME_LENGTH).meta({ description: "Name of a goal of the site, or of an event" }),
  ended: z
    .boolean("must be true or false")
    .default(false)
    .meta({ description: "Whether the experiment has ended; an ended experiment is reopened without it" }),
});
export type ExperimentInput = z.output<typeof experimentInput>;

export const experimentShape = z
  .object({
    id: savedId,
    name: untrusted.meta({ examples: ["checkout"] }),
    variants: z.array(z.object({ name: untrusted, weight: z.number() })).meta({
      examples: [
        [
          { name: "control", weight: 1 },
          { name: "one-page", weight: 1 },
        ],
      ],
    }),
    goal: untrusted.meta({ examples: ["Purchase"] }),
    ended_at: z.iso.datetime().nullable().meta({ description: "Null while it is running" }),
    created_by: creatorId,
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Experiment" });
type Variant = z.output<typeof variantShape>;

interface Row {
  name: string;
  variants: Variant[];
  goal: string;
  ended: boolean;
}

const EXPERIMENTS: Kind<string, Row, Experiment> = {
  label: "experiment",
  count: (tx, siteId) => tx.experiment.count({ where: { siteId } }),
  create: async (tx, { ended, ...row }) =>
    withVariants(await tx.experiment.create({ data: { ...row, endedAt: ended ? row.createdAt : null } })),
  update: async (tx, siteId, id, { ended, ...row }, now) => {
    const data = { ...row, updatedAt: now, ...(ended ? {} : { endedAt: null }) };
    await tx.experiment.updateMany({ where: { siteId, id }, data });
    // Keep the time at which it first ended.
    if (ended) await tx.experiment.updateMany({ where: { siteId, id, endedAt: null }, data: { endedAt: now } });
  },
  remove: (tx, siteId, id) => tx.experiment.deleteMany({ where: { siteId, id } }),
  find: async (tx, siteId, id) => {
    const row = await tx.experiment.findFirst({ where: { siteId, id } });
    return row && withVariants(row);
  },
};

const withVariants = (row: Prisma.ExperimentGetPayload<object>) => ({
  ...row,
  variants: row.variants as unknown as Variant[],
});
type Experiment = ReturnType<typeof withVariants>;

/** Lists the experiments of a site by name. */
export async function listExperiments(siteId: number, on: Db): Promise<Experiment[]> {
  return (await on.experiment.findMany({ where: { siteId }, orderBy: { name: "asc" } })).map(withVariants);
}

/** Lists the newest experiments of a site, at most `limit`. */
export async function newestExperiments(siteId: number, limit: number): Promise<Experiment[]> {
  const orderBy = [{ createdAt: "desc" as const }, { name: "asc" as const }];
  return (await db().experiment.findMany({ where: { siteId }, orderBy, take: limit })).map(withVariants);
}

/** Formats an experiment for API responses. */
export const describeExperiment = (row: Experiment): z.input<typeof experimentShape> => {
  const { id, name, variants, goal, endedAt, createdById, updatedAt } = row;
  return {
    id,
    name,
    variants,
    goal,
    ended_at: endedAt?.toISOString() ?? null,
    created_by: createdById,
    updated_at: updatedAt.toISOString(),
  };
};

export const currentExperiment = currentOf(EXPERIMENTS, (row) => {
  const { ended_at, ...described } = describeExperiment(row);
  return { ...described, ended: ended_at !== null };
});

/** Creates or changes an experiment. @throws Refusal see `save` */
export const saveExperiment = (work: SiteWork, input: ExperimentInput): Promise<Experiment> => {
  const { id, name, variants, goal, ended } = input;
  return save(work, EXPERIMENTS, id, { name, variants, goal, ended });
};

/** Deletes an experiment. @throws Refusal see `remove` */
export const deleteExperiment = (work: SiteWork, id: string): Promise<Experiment> => remove(work, EXPERIMENTS, id);
