import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { domainId, siteId, siteShape } from "@/lib/contract/fields";
import { describeSite } from "@/lib/sites/access";
import { domainOf, makePrimary } from "@/lib/sites/owned-domains";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.domains.primary",
  title: msg("Make a domain primary"),
  about:
    "Makes one of the site's domains the primary one, which names the site. The previous primary domain stays on the site.",
  scope: "sites:write",
  role: "manager",
  risk: "configuration",
  input: z.strictObject({
    domain_id: domainId,
    site_id: siteId,
  }),
  example: { domain_id: 2, site_id: 1 },
  output: siteShape,

  async summary({ input, site, db }) {
    const { host } = await domainOf(db, site.id, input.domain_id);
    return [{ label: "Primary domain", before: site.domain, after: host }];
  },

  async current({ site, db }) {
    const { id } = await db.siteDomain.findFirstOrThrow({ where: { siteId: site.id, isPrimary: true } });
    return { domain_id: id };
  },

  async run({ input, site, principal, db }) {
    const domain = await domainOf(db, site.id, input.domain_id);
    if (!domain.isPrimary) await makePrimary(db, site.id, domain.id);
    return describeSite(db, site.id, principal);
  },
});
