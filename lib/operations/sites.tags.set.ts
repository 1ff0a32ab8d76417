import { z } from "zod";
import { defineOperation, requirePerson } from "@/lib/contract/define";
import { siteId, tagName } from "@/lib/contract/fields";
import { setTags } from "@/lib/sites/tags";
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
    return { site_id: site.id, tags: await setTags(db, site.id, requirePerson(principal), input.tags) };
  },
});
