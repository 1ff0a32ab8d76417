import { defineOperation } from "@/lib/contract/define";
import { checkFilters } from "@/lib/sites/saved/save";
import { currentSegment, describeSegment, saveSegment, segmentInput, segmentShape } from "@/lib/sites/saved/segments";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.segments.save",
  title: msg("Save a segment"),
  about:
    "Creates a segment, or changes the one with `id`. A segment is a named set of filters that everyone with access to the site can apply to reports.",
  scope: "sites:write",
  role: "manager",
  risk: "write",
  input: segmentInput,
  example: { site_id: 1, name: "French blog readers", filters: { country: "FR", page: { starts_with: "/blog" } } },
  output: segmentShape,

  reach: ({ input }) => checkFilters(input.filters),

  current: currentSegment,

  async run({ input, ...work }) {
    return describeSegment(await saveSegment(work, input));
  },
});
