import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { describeExperiment, experimentShape, listExperiments } from "@/lib/sites/saved/experiments";

export default defineOperation({
  id: "sites.experiments.list",
  title: "List experiments",
  about: "Lists the planned experiments of a site by name. analytics.experiments reports their results.",
  scope: "sites:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: z.object({ experiments: z.array(experimentShape) }),

  async run({ site, db }) {
    return { experiments: (await listExperiments(site.id, db)).map(describeExperiment) };
  },
});
