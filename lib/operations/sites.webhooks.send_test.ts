import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { sendTest, type TestMessage, testMessageShape } from "@/lib/monitoring/test-message";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.webhooks.send_test",
  title: msg("Send a test to the webhook"),
  about:
    "Posts a message of type `test` to the site's webhook and returns the outcome. If it is not accepted, it is retried for a day, like any message. At most 10 tests in 10 minutes. Use a new Idempotency-Key per test.",
  scope: "sites:write",
  role: "manager",
  risk: "write",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: testMessageShape,

  reach: sendTest,
  run: async ({ reached }) => reached as TestMessage,
  audited: ({ data }) => data,
});
