import type { Db, Prisma } from "@/lib/platform/db";

/**
 * Ends what a human was asked or has allowed and is not yet done. Before the grants of a site are touched, always: an
 * agent that spends a yes has locked its approval first too, so none of them waits for the other.
 */
export async function supersedeApprovals(tx: Db, which: Prisma.ApprovalWhereInput): Promise<void> {
  await tx.approval.updateMany({
    where: { AND: [which, { status: { in: ["pending", "approved"] } }] },
    data: { status: "superseded" },
  });
}
