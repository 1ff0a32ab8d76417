import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId, testId } from "@/lib/contract/fields";
import { readTest, testShape } from "@/lib/sites/check/runs";

export default defineOperation({
  id: "sites.installation.tests.status",
  title: "Read an installation test",
  about:
    "How far a test of the installation is, and what it has found: each finding with a code, what was seen, and what to do in the site's own framework. While `running`, ask every two seconds or so.",
  scope: "sites:read",
  role: "manager",
  risk: "none",
  input: z.strictObject({ id: testId, site_id: siteId }),
  example: { id: "0b7c1f5e-6f0a-4c3e-9b1d-2f4a6c8e0d12", site_id: 1 },
  output: testShape,

  run: ({ input, site, db, now }) => readTest(db, site.id, input.id, now),
});
