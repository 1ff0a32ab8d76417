import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { trackingTestShape } from "@/lib/sites/tracking-shape";
import { readTrackingTest, startTrackingTest } from "@/lib/sites/tracking-tests";

export default defineOperation({
  id: "sites.tracking_test.start",
  title: "Start a tracking test",
  about:
    "Shows, for ten minutes, what becomes of each hit of a site; it sees hits from half a second after the start. A test that runs goes on for ten minutes from now. What an earlier one saw is deleted.",
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
