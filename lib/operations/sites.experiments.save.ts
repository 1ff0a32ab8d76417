import { defineOperation } from "@/lib/contract/define";
import {
  describeExperiment,
  experimentInput,
  experimentShape,
  listExperiments,
  saveExperiment,
} from "@/lib/sites/saved/experiments";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.experiments.save",
  title: msg("Save an experiment"),
  about:
    "Creates the plan of an experiment, or changes the one with `id`. Its name and variant names must match those in the exposure events. The plan can be saved before or after exposures arrive.",
  scope: "sites:write",
  role: "manager",
  risk: "write",
  input: experimentInput,
  example: {
    site_id: 1,
    name: "checkout",
    variants: [
      { name: "control", weight: 1 },
      { name: "one-page", weight: 1 },
    ],
    goal: "Purchase",
    ended: false,
  },
  output: experimentShape,

  async current({ input, site, db }) {
    const row = (await listExperiments(site.id, db)).find(({ id }) => id === input.id);
    if (!row) return null;
    const { id: _, created_by: __, updated_at: ___, ended_at, ...fields } = describeExperiment(row);
    return { ...fields, ended: ended_at !== null };
  },

  async run({ input, ...work }) {
    return describeExperiment(await saveExperiment(work, input));
  },
});
