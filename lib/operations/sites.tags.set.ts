import { z } from "zod";
import { defineOperation, requirePerson } from "@/lib/contract/define";
import { siteId, tagName } from "@/lib/contract/fields";
import { canonicalTag } from "@/lib/sites/access";
import { msg } from "@/lib/texts/translate";

const MOST_TAGS = 10;
const TAGS = `must be a list of at most ${MOST_TAGS} tags`;

export default defineOperation({
  id: "sites.tags.set",
  title: msg("Tag a site"),
  about: "Sets your own tags of a site, in lower case; sites.list and sites.overview filter by them.",
  scope: "sites:write",
  role: "viewer",
  risk: "write",
  input: z.strictObject({
    site_id: siteId,
    tags: z.array(tagName, TAGS).max(MOST_TAGS, TAGS).meta({ description: "All tags" }),
  }),
  example: { site_id: 1, tags: ["shops", "acme"] },
  output: z.object({ site_id: siteId, tags: z.array(z.string()).meta({ examples: [["acme", "shops"]] }) }),

  async run({ input, principal, site, db }) {
    // As they are stored: in lower case, in order, each once.
    const tags = [...new Set(input.tags.map(canonicalTag))].sort();
    await db.membership.updateMany({ where: { siteId: site.id, personId: requirePerson(principal) }, data: { tags } });
    return { site_id: site.id, tags };
  },
});
