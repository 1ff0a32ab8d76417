import { z } from "zod";
import { siteId } from "@/lib/contract/fields";
import { db } from "@/lib/db";
import type { PeopleChange } from "@/lib/sites/members";
import { type Kind, remove, save, savedId, savedName } from "@/lib/sites/saved/change";

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
  id: savedId,
  name: savedName(LONGEST_NAME),
  variants: z
    .array(variantShape, COUNT)
    .min(2, COUNT)
    .max(10, COUNT)
    .refine(
      (variants) => new Set(variants.map(({ name }) => name)).size === variants.length,
      "must have different names",
    ),
  goal: savedName(LONGEST_NAME),
  ended: z.boolean("must be true or false").default(false),
});
export type ExperimentInput = z.output<typeof experimentInput>;
export type Variant = z.output<typeof variantShape>;

interface Row {
  name: string;
  variants: Variant[];
  goal: string;
  ended: boolean;
}

const EXPERIMENTS: Kind<string, Row> = {
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
};

/** The experiments of a site, by name. */
export async function listExperiments(siteId: number) {
  const rows = await db().experiment.findMany({ where: { siteId }, orderBy: { name: "asc" } });
  return rows.map((row) => ({ ...row, variants: row.variants as unknown as Variant[] }));
}

/** @returns its id. @throws Refusal as `save` does. */
export const saveExperiment = (by: PeopleChange, input: ExperimentInput): Promise<string> => {
  const { id, name, variants, goal, ended } = input;
  return save(by, EXPERIMENTS, id ?? null, { name, variants, goal, ended });
};

export const deleteExperiment = (by: PeopleChange, id: string): Promise<void> => remove(by, EXPERIMENTS, id);
