import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { annotationId, annotationShape, deleteAnnotation } from "@/lib/sites/saved/annotations";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.annotations.delete",
  title: msg("Delete an annotation"),
  about: "Deletes an annotation and returns it. Charts and email reports no longer show it.",
  scope: "sites:write",
  role: "manager",
  risk: "write",
  input: z.strictObject({ site_id: siteId, id: annotationId }),
  example: { site_id: 1, id: 1 },
  output: annotationShape,

  run: ({ input, ...work }) => deleteAnnotation(work, input.id),
  audited: ({ data }) => data,
});
