import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { about, siteId } from "@/lib/contract/fields";
import { deleteSite } from "@/lib/sites/purge";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.delete",
  title: msg("Delete a site"),
  about:
    "Deletes a site with its settings, members and all events, immediately and permanently. Its domains become available again.",
  scope: "sites:delete",
  role: "owner",
  risk: "destructive",
  removesAccess: true,
  whileDisabled: true,
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: z.object({
    site_id: siteId,
    domain: about(z.string(), "The primary domain of the deleted site", "example.com"),
    deleted: z.literal(true),
  }),

  async summary({ site, db }) {
    const { name, domains } = await db.site.findUniqueOrThrow({
      where: { id: site.id },
      select: { name: true, domains: { select: { host: true }, orderBy: { host: "asc" } } },
    });
    return [
      { label: "Site", before: name ? `${name} (${site.domain})` : site.domain, after: null },
      { label: "Domains", before: domains.map(({ host }) => host).join(", "), after: null },
      { label: "All data", before: "Stored", after: "Deleted permanently" },
    ];
  },

  async run({ site, db, now }) {
    await deleteSite(db, site.id, now);
    return { site_id: site.id, domain: site.domain, deleted: true as const };
  },
});
