import { z } from "zod";
import { ruleId } from "@/lib/alerts/rules";
import { alertTestShape, type TestAnswer, testRule } from "@/lib/alerts/test-alert";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.alerts.send_test",
  title: msg("Test an alert rule"),
  about:
    "Sends a message that is marked as a test to all channels of an alert rule, and returns what each answered. At most 5 an hour for a rule. Use a new Idempotency-Key per test.",
  scope: "sites:write",
  role: "manager",
  risk: "write",
  input: z.strictObject({ site_id: siteId, id: ruleId }),
  example: { site_id: 1, id: 2 },
  output: alertTestShape,

  reach: ({ input, ...work }) => testRule(work, input.id),
  run: async ({ reached }) => reached as TestAnswer,
  audited: ({ input, data }) => ({ ...input, ...data }),
});
