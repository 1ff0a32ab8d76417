import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId, siteShape } from "@/lib/contract/fields";
import { settingFields } from "@/lib/contract/setting-fields";
import { settingLines, settingsIn } from "@/lib/contract/site-settings";
import { setMonitoring } from "@/lib/monitoring/monitor";
import { describeSite } from "@/lib/sites/access";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.monitoring",
  title: msg("Turn monitoring on or off"),
  about:
    "Turns monitoring of a site on or off. It checks the page and its certificate every five minutes and compares visits and refused events with previous weeks. Incidents are emailed and sent to the site's webhook.",
  scope: "sites:write",
  role: "manager",
  risk: "configuration",
  input: z.strictObject({ ...settingFields("monitoring"), site_id: siteId }),
  example: { enabled: true, site_id: 1 },
  output: siteShape,

  async summary({ input, site, db }) {
    return settingLines("monitoring", await db.site.findUniqueOrThrow({ where: { id: site.id } }), input);
  },

  async current({ site, db }) {
    return settingsIn("monitoring", await db.site.findUniqueOrThrow({ where: { id: site.id } }));
  },

  async run({ input, site, principal, db, now }) {
    await setMonitoring(db, site.id, input, now);
    return describeSite(db, site.id, principal);
  },
});
