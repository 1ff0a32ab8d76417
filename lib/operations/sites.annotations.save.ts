import { defineOperation } from "@/lib/contract/define";
import { annotationInput, annotationShape, saveAnnotation } from "@/lib/sites/saved/annotations";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.annotations.save",
  title: msg("Save an annotation"),
  about:
    "Creates an annotation, or changes the one with `id`: a note on a local day (`date`) or a point in time (`time`). analytics.chart returns those of its range, and email reports show them. A site has at most 1000.",
  scope: "sites:write",
  role: "manager",
  risk: "write",
  input: annotationInput,
  example: { site_id: 1, date: "2026-11-20", text: "Version 2.0 is live", kind: "deploy" },
  output: annotationShape,

  run: ({ input, ...work }) => saveAnnotation(work, input),
  audited: ({ input, data }) => ({ ...input, id: data.id }),
});
