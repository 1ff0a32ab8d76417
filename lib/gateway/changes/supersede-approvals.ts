import type { Db, Prisma } from "@/lib/platform/db";

/**
 * Supersedes pending approvals and approved ones that were not used. Call it before changing site grants: agents that
 * use an approval lock it first as well, so the same lock order prevents deadlocks.
 */
export async function supersedeApprovals(tx: Db, which: Prisma.ApprovalWhereInput): Promise<void> {
  await tx.approval.updateMany({
    where: { AND: [which, { status: { in: ["pending", "approved"] } }] },
    data: { status: "superseded" },
  });
}
