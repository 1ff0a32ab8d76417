import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { trackingTestShape } from "@/lib/sites/tracking-shape";
import { readTrackingTest, stopTrackingTest } from "@/lib/sites/tracking-tests";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.tracking_test.stop",
  title: msg("Stop a tracking test"),
  about:
    "Stops the tracking test of a site early. Its record stays readable for one hour. Without a running test, nothing changes.",
  scope: "sites:write",
  role: "manager",
  risk: "write",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: trackingTestShape,

  async run({ site, db, now }) {
    await stopTrackingTest(db, site.id, now);
    return readTrackingTest(db, site.id, now);
  },
});
