import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { optionalParam, siteId, supportedDay } from "@/lib/contract/fields";
import { invalidInput } from "@/lib/platform/errors";
import { annotationShape, listAnnotations } from "@/lib/sites/saved/annotations";

export default defineOperation({
  id: "sites.annotations.list",
  title: "List annotations",
  about: "Lists the annotations of a site, oldest first. An annotation is a note on a local day or a point in time.",
  scope: "sites:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({
    site_id: siteId,
    from: optionalParam(supportedDay).meta({ description: "First local day, inclusive; default no limit" }),
    to: optionalParam(supportedDay).meta({ description: "Last local day, inclusive; default no limit" }),
  }),
  example: { site_id: 1, from: "2026-11-01", to: "2026-11-30" },
  output: z.object({ annotations: z.array(annotationShape) }),

  async run({ input: { from, to }, site, db }) {
    if (from && to && from > to) throw invalidInput([{ path: "from", message: `is after to (${to}); swap them` }]);
    const all = await listAnnotations(db, site);
    return { annotations: all.filter(({ date }) => (!from || date >= from) && (!to || date <= to)) };
  },
});
