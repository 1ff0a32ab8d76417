import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { domainName, siteId, siteShape } from "@/lib/contract/fields";
import { changeSite } from "@/lib/gateway/changes/site-revision";
import { normalSiteDomain } from "@/lib/platform/domain-names";
import { describeSite } from "@/lib/sites/access";
import { addDomain } from "@/lib/sites/wanted-domains";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.domains.add",
  title: msg("Add a domain"),
  about:
    "Adds a domain whose events the site accepts; the primary domain does not change. If another site has the domain, the error says what to publish as proof; sites.verify then moves the domain, or says when it can move.",
  scope: "sites:write",
  role: "manager",
  risk: "write",
  input: z.strictObject({ site_id: siteId, domain: domainName }),
  example: { site_id: 1, domain: "shop.example.com" },
  output: siteShape,

  async run({ input, site, principal, db, now }) {
    const isNew = await addDomain(db, site.id, normalSiteDomain(input.domain), now);
    if (isNew) await changeSite(db, site.id);
    return describeSite(db, site.id, principal);
  },
});
