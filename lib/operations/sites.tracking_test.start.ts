import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { trackingTestShape } from "@/lib/sites/tracking-shape";
import { readTrackingTest, startTrackingTest } from "@/lib/sites/tracking-tests";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.tracking_test.start",
  title: msg("Start a tracking test"),
  about:
    "Records for ten minutes how each event of a site is processed, starting half a second after the call. A running test is extended to ten minutes from now. The record of an earlier test is deleted.",
  scope: "sites:write",
  role: "manager",
  risk: "write",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: trackingTestShape,

  async run({ site, db, now }) {
    await startTrackingTest(db, site.id, now);
    return readTrackingTest(db, site.id, now);
  },
});
