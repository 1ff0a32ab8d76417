import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId, testId } from "@/lib/contract/fields";
import { readTest, testShape } from "@/lib/sites/check/runs";

export default defineOperation({
  id: "sites.installation.tests.status",
  title: "Read an installation test",
  about:
    "Returns the progress and findings of an installation test. Each finding has a code, what was seen and how to fix it in the site's framework. While `running` is true, poll about every two seconds.",
  scope: "sites:read",
  role: "manager",
  risk: "none",
  input: z.strictObject({ id: testId, site_id: siteId }),
  example: { id: "0b7c1f5e-6f0a-4c3e-9b1d-2f4a6c8e0d12", site_id: 1 },
  output: testShape,

  run: ({ input, site, db, now }) => readTest(db, site.id, input.id, now),
});
