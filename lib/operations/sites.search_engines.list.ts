import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { connectionShape, describeConnections } from "@/lib/search/connections";

export default defineOperation({
  id: "sites.search_engines.list",
  title: "List connections to search engines",
  about:
    "Returns whether the site is connected to Google Search Console and Bing Webmaster Tools, and how fresh their numbers are. Only an owner of the site connects them, in a browser: give them `connect_url`. analytics.seo has the numbers.",
  scope: "sites:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: z.object({ connections: z.array(connectionShape) }),

  async run({ site, db }) {
    return { connections: await describeConnections(site.id, db) };
  },
});
