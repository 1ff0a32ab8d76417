import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import {
  approvalId,
  describeOwnApproval,
  ownApprovalShape,
  withdrawApproval,
} from "@/lib/gateway/changes/own-approvals";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "approvals.withdraw",
  title: msg("Withdraw an approval request"),
  about: "Withdraws an approval request of this client that is pending, or approved and not used.",
  scope: "account:read",
  role: "viewer",
  risk: "write",
  input: z.strictObject({ approval_id: approvalId }),
  example: { approval_id: "apr_Q2w8ZkT1mN5vB7xL0cYd3hJf" },
  output: ownApprovalShape,

  async run({ input, principal, db, now }) {
    return describeOwnApproval(await withdrawApproval(db, principal, input.approval_id), now);
  },
});
