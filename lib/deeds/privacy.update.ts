import { z } from "zod";
import { siteId } from "@/lib/contract/fields";
import { defineDeed } from "@/lib/deeds/define";
import { changePrivacy } from "@/lib/sites/privacy";
import { PRECISIONS, type Precision } from "@/lib/sites/privacy-words";

export default defineDeed({
  id: "privacy.update",
  freshMs: null,
  input: z.strictObject({
    site_id: siteId,
    anonymise_ip: z.boolean("must be true or false"),
    geo_precision: z.enum(Object.keys(PRECISIONS) as Precision[], "must be city, region, country or none"),
    honour_gpc: z.boolean("must be true or false"),
    retention_salt: z.boolean("must be true or false"),
  }),

  async run({ input, owner, requestId, now }) {
    const by = { personId: owner.personId, siteId: input.site_id, requestId, now };
    await changePrivacy(by, {
      anonymiseIp: input.anonymise_ip,
      geoPrecision: input.geo_precision,
      honourGpc: input.honour_gpc,
      retentionSalt: input.retention_salt,
    });
    return undefined;
  },
});
