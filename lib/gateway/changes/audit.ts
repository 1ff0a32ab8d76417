import type { AnyOperation, Principal, SiteAccess } from "@/lib/contract/define";
import type { Db, Prisma } from "@/lib/platform/db";

/** One row of the audit log: what was done, when, by which client or person, in which request. */
export type AuditRow = Prisma.AuditUncheckedCreateInput;

/** Writes audit rows in the transaction of the change they record. */
export async function writeAudit(tx: Db, ...rows: readonly AuditRow[]): Promise<void> {
  await tx.audit.createMany({ data: [...rows] });
}

/** A completed operation. */
interface CompletedOperation {
  op: AnyOperation;
  principal: Principal;
  site: SiteAccess | null;
  input: Record<string, unknown>;
  data: unknown;
  approvalId: string | null;
  requestId: string;
  now: Date;
}

/** Returns the audit row of a completed operation. */
export function auditRowOf({
  op,
  principal,
  site,
  input,
  data,
  approvalId,
  requestId,
  now,
}: CompletedOperation): AuditRow {
  // The domain stays readable after the site is deleted.
  const recorded = { ...(op.audited?.({ input, data }) ?? input), ...(site ? { site_domain: site.domain } : {}) };
  return {
    at: now,
    siteId: site?.id ?? null,
    clientId: principal.kind === "client" ? principal.clientId : null,
    personId: principal.personId,
    operation: op.id,
    requestId,
    approvalId,
    detail: recorded as Prisma.InputJsonObject,
  };
}
