import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { runInBackground } from "@/lib/sites/check/runner";
import { startTest, testShape } from "@/lib/sites/check/runs";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.installation.tests.start",
  title: msg("Test the installation"),
  about:
    "Loads the site's page, checks the snippet and what may block it, then waits up to three minutes for an event. Returns at once: poll sites.installation.tests.status until `running` is false. If a test is running, that test is returned.",
  scope: "sites:write",
  role: "manager",
  risk: "write",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: testShape,

  run: ({ site, db, now }) => startTest(db, site, now),
  after: ({ id }) => runInBackground(id),
});
