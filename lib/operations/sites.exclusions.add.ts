import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { EXCLUSION_KINDS } from "@/lib/contract/exclusion-patterns";
import { siteId } from "@/lib/contract/fields";
import { addEventRule, newEventPattern } from "@/lib/sites/event-rules";
import { describeExclusion, EXCLUSIONS, exclusionShape } from "@/lib/sites/exclusions";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.exclusions.add",
  title: msg("Add an exclusion"),
  about:
    "Stops storing events of an IP address or range, a country, a path or a hostname, within ten seconds. Stored events stay. In a path, `*` matches any part of one segment and `**` any number of segments; a hostname may start with `*.`.",
  scope: "sites:write",
  role: "manager",
  risk: "configuration",
  input: z.strictObject({
    site_id: siteId,
    kind: z.enum(EXCLUSION_KINDS, "must be address, country, path or hostname"),
    pattern: z
      .string("must be text")
      .min(1, "must say what to exclude")
      .max(1000, "must have at most 1000 characters")
      .meta({ description: "What to exclude, such as 192.0.2.0/24, FR, /admin/** or *.test.example.com" }),
  }),
  example: { site_id: 1, kind: "path", pattern: "/admin/**" },
  output: exclusionShape,

  async summary({ input, site, db }) {
    const pattern = await newEventPattern(db, EXCLUSIONS, site.id, input.kind, input.pattern);
    return [{ label: `Exclusion by ${input.kind}`, before: null, after: pattern }];
  },

  async run({ input, ...work }) {
    return describeExclusion(await addEventRule(work, EXCLUSIONS, input.kind, input.pattern));
  },

  audited: ({ data }) => data,
});
