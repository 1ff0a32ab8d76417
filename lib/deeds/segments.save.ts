import { defineDeed } from "@/lib/deeds/define";
import { saveSegment, segmentInput } from "@/lib/sites/saved/segments";

export default defineDeed({
  id: "segments.save",
  freshMs: null,
  input: segmentInput,

  async run({ input, owner, requestId, now }) {
    const by = { personId: owner.personId, siteId: input.site_id, requestId, now };
    return { id: await saveSegment(by, input) };
  },
});
