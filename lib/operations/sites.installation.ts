import { z } from "zod";
import { nameList, readNames } from "@/lib/analytics/query/name-lists";
import { defineOperation } from "@/lib/contract/define";
import { optionalParam, siteId } from "@/lib/contract/fields";
import { env } from "@/lib/platform/env";
import { legibleHost } from "@/lib/platform/legible-host";
import { latestTest, testShape } from "@/lib/sites/check/runs";
import { FRAMEWORKS, type Framework, installationFor } from "@/lib/sites/installation";
import { reachWarning } from "@/lib/sites/local-trials";
import { FEATURES, MAX_SEARCH_PARAMETERS, SEARCH_PARAMETER, searchNames } from "@/lib/sites/tracking-options";

const keys = Object.keys(FRAMEWORKS) as [Framework, ...Framework[]];
const framework = z.enum(keys, `must be one of ${keys.join(", ")}`);
const searchParameters = optionalParam(
  z
    .string("must be a comma-separated list of query parameters")
    .max(510, "must have at most 510 characters")
    .refine(
      (text) => searchNames(text).every((name) => SEARCH_PARAMETER.test(name)),
      "must have names of letters, digits, dots, hyphens, underscores and brackets, each of at most 50 characters",
    )
    .refine(
      (text) => searchNames(text).length <= MAX_SEARCH_PARAMETERS,
      `must have at most ${MAX_SEARCH_PARAMETERS} names`,
    ),
);

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
    automatic: nameList("automatic tracking").meta({
      description: `Comma-separated, what the snippet tracks besides pages: ${FEATURES.join(", ")}; default none`,
    }),
    hash_routes: z
      .boolean("must be true or false")
      .nullish()
      .meta({ description: "Whether the site has its routes after the #; default false" }),
    search_parameters: searchParameters.meta({
      description: "Comma-separated query parameters of the search; default q, s, search and query",
    }),
  }),
  example: { site_id: 1, framework: "nextjs", automatic: "links,vitals" },
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
    const { domain } = site;
    const options = {
      automatic: readNames("automatic", input.automatic ?? "", FEATURES, FEATURES.length),
      hash: input.hash_routes ?? false,
      searchParameters: searchNames(input.search_parameters ?? ""),
    };
    return {
      site_id: site.id,
      framework: chosen,
      ...installationFor(chosen, { baseUrl: env().BASE_URL, domain, name: legibleHost(domain) }, options),
      warning: reachWarning(env().BASE_URL, domain),
      latest_test: await latestTest(db, site.id, now),
      frameworks: keys.map((key) => ({ framework: key, name: FRAMEWORKS[key] })),
    };
  },
});
