import { defineOperation } from "@/lib/contract/define";
import { describeSegment, saveSegment, segmentInput, segmentShape } from "@/lib/sites/saved/segments";

export default defineOperation({
  id: "sites.segments.save",
  title: "Save a segment",
  about:
    "Makes a segment, or changes the one with `id`. A segment is a set of filters with a name, which everybody who sees the site can choose for a report.",
  scope: "sites:write",
  role: "manager",
  risk: "write",
  input: segmentInput,
  example: { site_id: 1, name: "French blog readers", filters: { country: "FR", page: { starts_with: "/blog" } } },
  output: segmentShape,

  async run({ input, ...work }) {
    return describeSegment(await saveSegment(work, input));
  },
});
