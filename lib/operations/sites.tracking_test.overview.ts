import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { trackingTestShape } from "@/lib/sites/tracking-shape";
import { readTrackingTest } from "@/lib/sites/tracking-tests";

export default defineOperation({
  id: "sites.tracking_test.overview",
  title: "See a tracking test",
  about:
    "What becomes of a site's hits while a tracking test runs: outcome, class, reason and how each field was read. Ask again every second or two. No address and no user agent is kept; all of it goes an hour after the end.",
  scope: "sites:read",
  role: "manager",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: trackingTestShape,

  run: ({ site, db, now }) => readTrackingTest(db, site.id, now),
});
