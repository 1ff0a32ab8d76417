import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { checkDomains, recordChecks, verifyShape } from "@/lib/sites/verify";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.verify",
  title: msg("Verify a site's domains"),
  about:
    "Looks for the site's proof of each unverified or contested domain in DNS, a file or a meta tag, and for its snippet. Says what was found, what to do and what to publish. Leave a proof published. Use a new Idempotency-Key per check.",
  scope: "sites:write",
  role: "manager",
  risk: "write",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: verifyShape,

  reach: ({ site, db, now }) => checkDomains(db, site.id, now),

  run({ site, principal, db, now, requestId, reached }) {
    const by = {
      clientId: principal.kind === "client" ? principal.clientId : null,
      personId: principal.personId,
      operation: "sites.verify",
      requestId,
      now,
    };
    return recordChecks(db, site, reached as Awaited<ReturnType<typeof checkDomains>>, by);
  },
});
