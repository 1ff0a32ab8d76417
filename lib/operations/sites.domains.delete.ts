import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { domainId, siteId, siteShape } from "@/lib/contract/fields";
import { describeSite } from "@/lib/sites/access";
import { removableDomain, removeDomain } from "@/lib/sites/owned-domains";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.domains.delete",
  title: msg("Delete a domain"),
  about:
    "Removes a domain from the site: its events are refused, and another site can add it. Stored data stays. The primary domain cannot be deleted.",
  scope: "sites:write",
  role: "manager",
  risk: "destructive",
  input: z.strictObject({
    domain_id: domainId,
    site_id: siteId,
  }),
  example: { domain_id: 2, site_id: 1 },
  output: siteShape,

  async summary({ input, site, db }) {
    const { host } = await removableDomain(db, site.id, input.domain_id);
    return [
      { label: "Domain", before: host, after: null },
      { label: `Events sent for ${host}`, before: "Counted", after: "Refused" },
    ];
  },

  async run({ input, site, principal, db }) {
    await removeDomain(db, site.id, await removableDomain(db, site.id, input.domain_id));
    return describeSite(db, site.id, principal);
  },
});
