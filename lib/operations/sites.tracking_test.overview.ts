import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { trackingTestShape } from "@/lib/sites/tracking-shape";
import { readTrackingTest } from "@/lib/sites/tracking-tests";

export default defineOperation({
  id: "sites.tracking_test.overview",
  title: "Read a tracking test",
  about:
    "Returns the events that a tracking test has recorded: outcome, traffic class, reason and how each field was read. Poll every one or two seconds. IP addresses and user agents are not stored; the record is deleted an hour after the end.",
  scope: "sites:read",
  role: "manager",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: trackingTestShape,

  run: ({ site, db, now }) => readTrackingTest(db, site.id, now),
});
