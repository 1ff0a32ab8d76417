import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { LONGEST_SEARCH, optionalParam, siteId, siteShape, tagName } from "@/lib/contract/fields";
import { listSites, readSites } from "@/lib/sites/access";

const page = z.int("must be a whole number").min(1, "must be 1 or more").max(100_000, "must be at most 100000");
const perPage = z.int("must be a whole number").min(1, "must be 1 or more").max(100, "must be at most 100");

export default defineOperation({
  id: "sites.list",
  title: "List sites",
  about: "Lists the sites that you can access, oldest first, in pages, or those that match a search or a tag.",
  scope: "sites:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({
    page: page.nullish().meta({ description: "Page number; default 1" }),
    search: optionalParam(
      z.string("must be text").max(LONGEST_SEARCH, `must have at most ${LONGEST_SEARCH} characters`),
    ).meta({
      description: "Words that must all occur in the name or a domain of a site",
      examples: ["shop"],
    }),
    tag: optionalParam(tagName).meta({ description: "Only sites with this tag of yours", examples: ["shops"] }),
    site_ids: optionalParam(z.array(siteId, "must be a list of site ids").max(100, "must have at most 100 ids")).meta({
      description: "Only these sites, on one page",
      examples: [[1, 2]],
    }),
    per_page: perPage.nullish().meta({ description: "Sites per page; default 50" }),
  }),
  example: { page: 1 },
  output: z.object({
    sites: z.array(siteShape),
    page: z.int(),
    per_page: z.int().meta({ examples: [50] }),
    total: z.int().meta({ examples: [1] }),
  }),

  async run({ input, principal, db }) {
    if (input.site_ids) {
      const sites = await readSites(db, principal, input.site_ids);
      return { sites, page: 1, per_page: sites.length, total: sites.length };
    }
    const page = input.page ?? 1;
    const perPage = input.per_page ?? 50;
    const { sites, total } = await listSites(db, principal, page, perPage, input);
    return { sites, page, per_page: perPage, total };
  },
});
