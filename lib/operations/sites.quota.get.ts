import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { about, siteId } from "@/lib/contract/fields";
import { readQuota } from "@/lib/ingest/site/limits";

export default defineOperation({
  id: "sites.quota.get",
  title: "Read the monthly quota",
  about:
    "Returns how many events a site may send in this UTC month, and how many it has sent. Events beyond the quota are refused with 429.",
  scope: "sites:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: z.object({
    quota: z
      .object({
        events: about(z.int(), "Events of up to 1 KB; a larger one counts once for each started KB", 100_000),
        used: z.int().meta({ examples: [4_210] }),
        unproven: z.boolean().meta({
          description: "Whether it is the quota of sites without a verified domain, which ends with sites.verify",
        }),
        renews_at: z.iso.datetime().meta({ examples: ["2026-12-01T00:00:00Z"] }),
      })
      .meta({ id: "Quota" })
      .nullable()
      .meta({ description: "Null if the site has no quota" }),
  }),

  async run({ site, now }) {
    return { quota: await readQuota(site.id, now) };
  },
});
