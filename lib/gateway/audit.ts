import type { AnyOperation, Principal, SiteAccess } from "@/lib/contract/define";
import type { Db, Prisma } from "@/lib/db";

/** One row of the audit: what was done, when, by which client or person, and with which request. */
export type AuditRow = Prisma.AuditUncheckedCreateInput;

/** Writes rows of the audit in the transaction of what they are about. */
export async function writeAudit(tx: Db, ...rows: readonly AuditRow[]): Promise<void> {
  await tx.audit.createMany({ data: [...rows] });
}

/** An operation that was done. */
interface Done {
  op: AnyOperation;
  principal: Principal;
  site: SiteAccess | null;
  input: Record<string, unknown>;
  data: unknown;
  approvalId: string | null;
  requestId: string;
  now: Date;
}

/** The row of the audit about an operation that was done. */
export function auditRowOf({ op, principal, site, input, data, approvalId, requestId, now }: Done): AuditRow {
  // The domain is kept for the day on which the site is gone.
  const kept = { ...(op.audited?.({ input, data }) ?? input), ...(site ? { site_domain: site.domain } : {}) };
  return {
    at: now,
    siteId: site?.id ?? null,
    clientId: principal.kind === "client" ? principal.clientId : null,
    personId: principal.personId,
    operation: op.id,
    requestId,
    approvalId,
    detail: kept as Prisma.InputJsonObject,
  };
}
