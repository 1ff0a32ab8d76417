import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { describeOwnApproval, listOwnApprovals, ownApprovalShape } from "@/lib/gateway/changes/own-approvals";

export default defineOperation({
  id: "approvals.list",
  title: "List your approval requests",
  about:
    "Returns this client's own approval requests of the last 7 days, at most 100, first those that wait for a human.",
  scope: "account:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({}),
  example: {},
  output: z.object({ approvals: z.array(ownApprovalShape) }),

  async run({ principal, db, now }) {
    const rows = await listOwnApprovals(db, principal, now);
    return { approvals: rows.map((row) => describeOwnApproval(row, now)) };
  },
});
