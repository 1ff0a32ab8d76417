import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { ROLES } from "@/lib/contract/access";
import type { AnyOperation, ChangeLine, Principal, SiteAccess } from "@/lib/contract/define";
import { approverRole } from "@/lib/gateway/decide";
import type { Db, Prisma } from "@/lib/platform/db";

export type ApprovalRow = Prisma.ApprovalGetPayload<object>;
export type ClientPrincipal = Principal & { kind: "client" };
export type Reason =
  | "no_approval"
  | "unknown"
  | "pending"
  | "denied"
  | "expired"
  | "consumed"
  | "withdrawn"
  | "payload_mismatch"
  | "context_changed";

/** The operation and input that an approval is for, in the canonical form that is hashed. */
export interface ApprovalRequest {
  op: AnyOperation;
  client: ClientPrincipal;
  site: SiteAccess | null;
  lines: ChangeLine[];
  document: Record<string, unknown>;
  payloadHash: Uint8Array<ArrayBuffer>;
}

/** Thrown inside the operation's transaction to roll it back; the approval is then requested outside it. */
export class ApprovalNeeded extends Error {
  constructor(
    readonly request: ApprovalRequest,
    readonly reason: Reason,
    /** The existing approval to report; null when a new one must be requested. */
    readonly approvalId: string | null,
  ) {
    super("a human must approve this operation");
  }
}

/**
 * Builds the canonical JSON document of a call (RFC 8785) and its SHA-256. The document includes the site's revision
 * and the resolved before/after lines, so an approval becomes invalid when the site changes.
 */
export function buildApprovalRequest(
  op: AnyOperation,
  client: ClientPrincipal,
  site: SiteAccess | null,
  lines: ChangeLine[],
  input: unknown,
): ApprovalRequest {
  const document = {
    v: 1,
    type: "management_operation",
    operation: op.id,
    risk: op.risk,
    client_id: client.clientId,
    resource: client.resource,
    site: site && { id: site.id, domain: site.domain, revision: site.revision },
    target: lines,
    body: input,
  };
  const text = `approval/v1\n${canonicalize(document) ?? ""}`;
  const payloadHash = new Uint8Array(createHash("sha256").update(text).digest());
  return { op, client, site, lines, document: JSON.parse(JSON.stringify(document)), payloadHash };
}

/**
 * Consumes the approval of exactly this request, in the operation's transaction. When the operation fails, the rollback
 * makes the approval usable again.
 *
 * @returns the id of the approval.
 * @throws ApprovalNeeded when there is no usable approval.
 */
export async function consumeApproval(
  tx: Db,
  request: ApprovalRequest,
  given: string | null,
  requestId: string,
  now: Date,
) {
  if (!given) throw new ApprovalNeeded(request, "no_approval", null);
  const { count } = await tx.approval.updateMany({
    where: {
      id: given,
      clientId: request.client.clientId,
      payloadHash: request.payloadHash,
      status: "approved",
      expiresAt: { gt: now },
    },
    data: { status: "consumed", consumedAt: now, requestId },
  });
  const approval = await tx.approval.findFirst({ where: { id: given, clientId: request.client.clientId } });
  if (count === 1 && approval) {
    if (await mayApprove(tx, request, approval.approverId)) return approval.id;
    throw new ApprovalNeeded(request, "context_changed", null);
  }
  const reason = approval ? whyUnusable(approval, request, now) : "unknown";
  throw new ApprovalNeeded(request, reason, reason === "pending" || reason === "denied" ? given : null);
}

function whyUnusable(approval: ApprovalRow, request: ApprovalRequest, now: Date): Reason {
  if (approval.status === "denied") return "denied";
  if (approval.status === "withdrawn") return "withdrawn";
  if (approval.status === "superseded") return "context_changed";
  if (approval.status === "consumed") return "consumed";
  const approved = approval.document as { operation?: unknown; body?: unknown };
  const sameInput =
    approved.operation === request.op.id &&
    canonicalize(approved.body) === canonicalize(request.document.body as object);
  if (!sameInput) return "payload_mismatch";
  if (approval.expiresAt <= now) return "expired";
  return Buffer.from(approval.payloadHash).equals(Buffer.from(request.payloadHash)) ? "pending" : "context_changed";
}

/** Whether this person's current role on the site still allows them to approve the request. */
async function mayApprove(on: Db, request: ApprovalRequest, personId: number | null): Promise<boolean> {
  if (personId === null) return false;
  if (!request.site) return request.client.personId === personId;
  const membership = await on.membership.findUnique({
    where: { siteId_personId: { siteId: request.site.id, personId } },
  });
  return membership !== null && ROLES[membership.role].rank >= ROLES[approverRole(request.op.risk)].rank;
}
