import type { Db, Prisma } from "@/lib/db";

/** One row of the audit: what was done, when, by which client or person, and with which request. */
export type AuditRow = Prisma.AuditUncheckedCreateInput;

/** Writes rows of the audit in the transaction of what they are about. */
export async function writeAudit(tx: Db, ...rows: readonly AuditRow[]): Promise<void> {
  await tx.audit.createMany({ data: [...rows] });
}
