import { defineDeed } from "@/lib/deeds/define";
import { experimentInput, saveExperiment } from "@/lib/sites/saved/experiments";

export default defineDeed({
  id: "experiments.save",
  freshMs: null,
  input: experimentInput,

  async run({ input, owner, requestId, now }) {
    const by = { personId: owner.personId, siteId: input.site_id, requestId, now };
    return { id: await saveExperiment(by, input) };
  },
});
