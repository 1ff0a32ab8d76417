import { z } from "zod";
import { siteId } from "@/lib/contract/fields";
import { defineDeed } from "@/lib/deeds/define";
import { deleteExperiment } from "@/lib/sites/saved/experiments";

export default defineDeed({
  id: "experiments.delete",
  freshMs: null,
  input: z.strictObject({ site_id: siteId, id: z.uuid("must be the id of an experiment, a UUID") }),

  async run({ input, owner, requestId, now }) {
    const by = { personId: owner.personId, siteId: input.site_id, requestId, now };
    await deleteExperiment(by, input.id);
    return undefined;
  },
});
