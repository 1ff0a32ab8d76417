import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId, testId } from "@/lib/contract/fields";
import { stopTest, testShape } from "@/lib/sites/check/runs";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.installation.tests.stop",
  title: msg("Stop an installation test"),
  about: "Stops an installation test early and returns it. A finished test does not change.",
  scope: "sites:write",
  role: "manager",
  risk: "write",
  input: z.strictObject({ id: testId, site_id: siteId }),
  example: { id: "0b7c1f5e-6f0a-4c3e-9b1d-2f4a6c8e0d12", site_id: 1 },
  output: testShape,

  run: ({ input, site, db, now }) => stopTest(db, site.id, input.id, now),
});
