import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { describeSegment, listSegments, segmentShape } from "@/lib/sites/saved/segments";

export default defineOperation({
  id: "sites.segments.list",
  title: "List segments",
  about:
    "Lists the segments of a site by name, with their filters. Send the id of a segment as `segment` to any report.",
  scope: "sites:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: z.object({ segments: z.array(segmentShape) }),

  async run({ site, db }) {
    return { segments: (await listSegments(site.id, db)).map(describeSegment) };
  },
});
