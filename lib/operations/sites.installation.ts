import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { env } from "@/lib/platform/env";
import { FRAMEWORKS, type Framework, installationFor } from "@/lib/sites/installation";

const keys = Object.keys(FRAMEWORKS) as [Framework, ...Framework[]];
const framework = z.enum(keys, `must be one of ${keys.join(", ")}`);

export default defineOperation({
  id: "sites.installation",
  title: "How to install",
  about:
    "The snippet that makes a site count, and the steps to install it with a given framework; plain HTML by default.",
  scope: "sites:read",
  role: "manager",
  risk: "none",
  input: z.strictObject({
    site_id: siteId,
    framework: framework.nullish().meta({ description: "What the site is built with; default html" }),
  }),
  example: { site_id: 1, framework: "nextjs" },
  output: z.object({
    site_id: siteId,
    framework,
    snippet: z.string().meta({ description: "The tag itself, as this framework takes it" }),
    steps: z.array(z.string()),
    code: z.array(z.object({ file: z.string(), language: z.string(), content: z.string() })),
    notes: z.array(z.string()),
    frameworks: z
      .array(z.object({ framework, name: z.string() }))
      .meta({ description: "Everything there are steps for" }),
  }),

  async run({ input, site }) {
    const chosen = input.framework ?? "html";
    return {
      site_id: site.id,
      framework: chosen,
      ...installationFor(chosen, env().BASE_URL, site.domain),
      frameworks: keys.map((key) => ({ framework: key, name: FRAMEWORKS[key] })),
    };
  },
});
