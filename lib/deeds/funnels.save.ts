import { defineDeed } from "@/lib/deeds/define";
import { funnelInput, saveFunnel } from "@/lib/sites/saved/funnels";

export default defineDeed({
  id: "funnels.save",
  freshMs: null,
  input: funnelInput,

  async run({ input, owner, requestId, now }) {
    const by = { personId: owner.personId, siteId: input.site_id, requestId, now };
    return { id: await saveFunnel(by, input) };
  },
});
