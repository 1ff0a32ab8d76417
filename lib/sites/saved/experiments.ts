import { z } from "zod";
import { siteId, untrusted } from "@/lib/contract/fields";
import type { SiteWork } from "@/lib/gateway/changes/site-revision";
import { type Db, db, type Prisma } from "@/lib/platform/db";
import { changedId, type Kind, remove, save, savedId, savedName } from "@/lib/sites/saved/save";

const LARGEST_WEIGHT = 1_000_000;
const WEIGHT = `must be a number above 0, at most ${LARGEST_WEIGHT}`;
const COUNT = "must be a list of 2 to 10 variants, the control first";
const LONGEST_NAME = 255;

const variantShape = z.strictObject(
  {
    name: savedName(LONGEST_NAME),
    weight: z.number(WEIGHT).gt(0, WEIGHT).max(LARGEST_WEIGHT, WEIGHT),
  },
  "must be an object {name, weight}",
);

/** What is known beforehand of an experiment. Its name and those of its variants are the ones its exposures carry. */
export const experimentInput = z.strictObject({
  site_id: siteId,
  id: changedId(savedId),
  name: savedName(LONGEST_NAME),
  variants: z
    .array(variantShape, COUNT)
    .min(2, COUNT)
    .max(10, COUNT)
    .refine(
      (variants) => new Set(variants.map(({ name }) => name)).size === variants.length,
      "must have different names",
    )
    .meta({ description: "The control first; weights are shares of the traffic" }),
  goal: savedName(LONGEST_NAME).meta({ description: "The name of a goal of the site, else of an event" }),
  ended: z
    .boolean("must be true or false")
    .default(false)
    .meta({ description: "Whether it is over; without it one that ended is open again" }),
});
export type ExperimentInput = z.output<typeof experimentInput>;

export const experimentShape = z
  .object({
    id: savedId,
    name: untrusted,
    variants: z.array(z.object({ name: untrusted, weight: z.number() })),
    goal: untrusted,
    ended_at: z.iso.datetime().nullable().meta({ description: "null while it is not over" }),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Experiment" });
export type Variant = z.output<typeof variantShape>;

interface Row {
  name: string;
  variants: Variant[];
  goal: string;
  ended: boolean;
}

const EXPERIMENTS: Kind<string, Row, Experiment> = {
  word: "experiment",
  count: (tx, siteId) => tx.experiment.count({ where: { siteId } }),
  create: async (tx, { ended, ...row }) =>
    (await tx.experiment.create({ data: { ...row, endedAt: ended ? row.createdAt : null } })).id,
  update: async (tx, siteId, id, { ended, ...row }, now) => {
    const data = { ...row, updatedAt: now, ...(ended ? {} : { endedAt: null }) };
    const changed = await tx.experiment.updateMany({ where: { siteId, id }, data });
    // It ended when that was first said.
    if (ended) await tx.experiment.updateMany({ where: { siteId, id, endedAt: null }, data: { endedAt: now } });
    return changed;
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

/** The experiments of a site, by name. */
export async function listExperiments(siteId: number, on: Db = db()): Promise<Experiment[]> {
  return (await on.experiment.findMany({ where: { siteId }, orderBy: { name: "asc" } })).map(withVariants);
}

/** The newest experiments of a site, up to `most`. */
export async function newestExperiments(siteId: number, most: number): Promise<Experiment[]> {
  const orderBy = [{ createdAt: "desc" as const }, { name: "asc" as const }];
  return (await db().experiment.findMany({ where: { siteId }, orderBy, take: most })).map(withVariants);
}

/** An experiment as operations answer it. */
export const describeExperiment = (row: Experiment): z.input<typeof experimentShape> => {
  const { id, name, variants, goal, endedAt, updatedAt } = row;
  return {
    ...{ id, name, variants, goal },
    ended_at: endedAt?.toISOString() ?? null,
    updated_at: updatedAt.toISOString(),
  };
};

/** @throws Refusal as `save` does. */
export async function saveExperiment(work: SiteWork, input: ExperimentInput): Promise<Experiment> {
  const { id, name, variants, goal, ended } = input;
  const saved = await save(work, EXPERIMENTS, id ?? null, { name, variants, goal, ended });
  return withVariants(await work.db.experiment.findUniqueOrThrow({ where: { id: saved } }));
}

/** @throws Refusal as `remove` does. */
export const deleteExperiment = (work: SiteWork, id: string): Promise<Experiment> => remove(work, EXPERIMENTS, id);
