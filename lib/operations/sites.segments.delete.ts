import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { savedId } from "@/lib/sites/saved/save";
import { deleteSegment, describeSegment, segmentShape } from "@/lib/sites/saved/segments";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.segments.delete",
  title: msg("Delete a segment"),
  about: "Deletes a segment. Reports refuse its id afterwards, and dashboard links with it show that it was deleted.",
  scope: "sites:write",
  role: "manager",
  risk: "write",
  input: z.strictObject({ site_id: siteId, id: savedId }),
  example: { site_id: 1, id: "0b8a6f0e-6c1d-4f2a-9a3e-5d7c8b9e1f20" },
  output: segmentShape,

  async run({ input, ...work }) {
    return describeSegment(await deleteSegment(work, input.id));
  },

  audited: ({ data }) => data,
});
