import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { deleteExperiment, describeExperiment, experimentShape } from "@/lib/sites/saved/experiments";
import { savedId } from "@/lib/sites/saved/save";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.experiments.delete",
  title: msg("Delete an experiment"),
  about:
    "Deletes the plan of an experiment. Its exposures stay, and it is then reported with equal weights and any goal of the site.",
  scope: "sites:write",
  role: "manager",
  risk: "write",
  input: z.strictObject({ site_id: siteId, id: savedId }),
  example: { site_id: 1, id: "0b8a6f0e-6c1d-4f2a-9a3e-5d7c8b9e1f20" },
  output: experimentShape,

  async run({ input, ...work }) {
    return describeExperiment(await deleteExperiment(work, input.id));
  },

  audited: ({ data }) => data,
});
