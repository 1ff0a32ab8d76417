import { defineOperation } from "@/lib/contract/define";
import {
  currentExperiment,
  describeExperiment,
  experimentInput,
  experimentShape,
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

  current: currentExperiment,

  async run({ input, ...work }) {
    return describeExperiment(await saveExperiment(work, input));
  },
});
