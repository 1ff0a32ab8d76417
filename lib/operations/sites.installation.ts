import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { env } from "@/lib/platform/env";
import { latestTest, testShape } from "@/lib/sites/check/runs";
import { FRAMEWORKS, type Framework, installationFor } from "@/lib/sites/installation";
import { reachWarning } from "@/lib/sites/local-trials";

const keys = Object.keys(FRAMEWORKS) as [Framework, ...Framework[]];
const framework = z.enum(keys, `must be one of ${keys.join(", ")}`);

export default defineOperation({
  id: "sites.installation",
  title: "Read installation steps",
  about:
    "Returns the tracking snippet of a site, the steps to install it in a framework (default plain HTML), and the newest installation test.",
  scope: "sites:read",
  role: "manager",
  risk: "none",
  input: z.strictObject({
    site_id: siteId,
    framework: framework.nullish().meta({ description: "The framework of the site; default html" }),
  }),
  example: { site_id: 1, framework: "nextjs" },
  output: z.object({
    site_id: siteId,
    framework,
    snippet: z.string().meta({ description: "The tracking tag in the syntax of this framework" }),
    steps: z.array(z.string()),
    code: z.array(z.object({ file: z.string(), language: z.string(), content: z.string() })),
    warning: z
      .string()
      .nullable()
      .meta({ description: "Why the snippet does not work for visitors yet; null if it does" }),
    latest_test: testShape.nullable().meta({ description: "The newest installation test; null if there is none" }),
    notes: z.array(z.string()),
    frameworks: z.array(z.object({ framework, name: z.string() })).meta({ description: "All supported frameworks" }),
  }),

  async run({ input, site, db, now }) {
    const chosen = input.framework ?? "html";
    return {
      site_id: site.id,
      framework: chosen,
      ...installationFor(chosen, env().BASE_URL, site.domain),
      warning: reachWarning(env().BASE_URL, site.domain),
      latest_test: await latestTest(db, site.id, now),
      frameworks: keys.map((key) => ({ framework: key, name: FRAMEWORKS[key] })),
    };
  },
});
