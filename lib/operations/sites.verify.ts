import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { lookAtSite, settleLooks, verifyShape } from "@/lib/sites/verify";

export default defineOperation({
  id: "sites.verify",
  title: "Verify a site's domains",
  about:
    "Looks for the site's value in DNS, a file or a meta tag of each unproven domain, and for its snippet. Answers what was seen, what to do, and what to publish. A proven domain stays with the site. Each look needs a new Idempotency-Key.",
  scope: "sites:write",
  role: "manager",
  risk: "write",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: verifyShape,

  reach: ({ site, db, now }) => lookAtSite(db, site.id, now),

  run({ site, principal, db, now, requestId, reached }) {
    const by = {
      clientId: principal.kind === "client" ? principal.clientId : null,
      personId: principal.personId,
      operation: "sites.verify",
      requestId,
      now,
    };
    return settleLooks(db, site, reached as Awaited<ReturnType<typeof lookAtSite>>, by);
  },
});
