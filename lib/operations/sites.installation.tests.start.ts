import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { runInBackground } from "@/lib/sites/check/runner";
import { startTest, testShape } from "@/lib/sites/check/runs";

export default defineOperation({
  id: "sites.installation.tests.start",
  title: "Test the installation",
  about:
    "Reads the site's page, looks for the snippet and whatever blocks it, then waits up to three minutes for the page's event. Answers at once: ask for its status until `running` is false. While one runs, that one is answered.",
  scope: "sites:write",
  role: "manager",
  risk: "write",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: testShape,

  run: ({ site, db, now }) => startTest(db, site, now),
  after: ({ id }) => runInBackground(id),
});
