import { Refusal } from "@/lib/contract/errors";
import { type Risk, ROLES, type Role } from "@/lib/contract/vocabulary";
import { db, type Prisma } from "@/lib/db";

/** How long a human's yes may be spent. */
const USABLE_MS = 3600_000;

/** These risks are an owner's to allow, with a sign-in of the last five minutes; the others a manager's, of fifteen. */
const OWNERS_ONLY: readonly Risk[] = ["security", "access", "destructive"];
export const approverRole = (risk: Risk): Role => (OWNERS_ONLY.includes(risk) ? "owner" : "manager");
export const approverFreshMs = (risk: Risk): number => (OWNERS_ONLY.includes(risk) ? 5 : 15) * 60_000;

/**
 * A human decides, once. Of two who decide at the same time the first wins, and both learn the same outcome. Whoever
 * has the role that the risk asks for may decide: the agent's own human, or someone else of the site.
 *
 * @param by.signedInAt when this human last proved who they are.
 * @throws Refusal `not_found` for a question that is not theirs, `approval_denied` when their role or the age of
 *   their sign-in does not suffice, or the question has ended undecided.
 */
export async function decideApproval(
  id: string,
  decision: "approved" | "denied",
  by: { personId: number; signedInAt: Date; requestId: string },
  now: Date,
): Promise<Prisma.ApprovalGetPayload<object>> {
  const approval = await db().approval.findUnique({ where: { id }, include: { client: true } });
  if (!approval) throw noneOfYours();
  await mayDecide(approval, by.personId);
  const risk = approval.risk as Risk;
  if (decision === "approved" && now.getTime() - by.signedInAt.getTime() > approverFreshMs(risk)) {
    throw new Refusal("approval_denied", "Sign in once more, then decide.");
  }
  return db().$transaction(async (tx) => {
    const { count } = await tx.approval.updateMany({
      where: { id, status: "pending", expiresAt: { gt: now } },
      data: {
        status: decision,
        approverId: by.personId,
        decidedAt: now,
        ...(decision === "approved" ? { expiresAt: new Date(now.getTime() + USABLE_MS) } : {}),
      },
    });
    const decided = await tx.approval.findUniqueOrThrow({ where: { id } });
    if (decided.status === "pending")
      throw new Refusal("approval_denied", "This question has ended; the agent may ask again.");
    if (count === 1) await tx.audit.create({ data: auditOf(decided, decision, by, now) });
    return decided;
  });
}

const noneOfYours = () => new Refusal("not_found", "There is no such approval among yours.");

async function mayDecide(
  approval: Prisma.ApprovalGetPayload<{ include: { client: true } }>,
  personId: number,
): Promise<void> {
  const { siteId } = approval;
  const own = approval.client.ownerId === personId;
  if (siteId === null) {
    if (!own) throw noneOfYours();
    return;
  }
  const membership = await db().membership.findUnique({ where: { siteId_personId: { siteId, personId } } });
  if (!membership && !own) throw noneOfYours();
  const needed = approverRole(approval.risk as Risk);
  if (!membership || ROLES[membership.role].rank < ROLES[needed].rank) {
    throw new Refusal("approval_denied", `Only someone with the role ${needed} on the site may decide this.`);
  }
}

function auditOf(
  approval: Prisma.ApprovalGetPayload<object>,
  decision: string,
  by: { personId: number; signedInAt: Date; requestId: string },
  now: Date,
): Prisma.AuditCreateInput {
  return {
    at: now,
    siteId: approval.siteId,
    clientId: approval.clientId,
    personId: by.personId,
    operation: approval.operation,
    requestId: by.requestId,
    approvalId: approval.id,
    detail: {
      decision,
      payload_sha256: Buffer.from(approval.payloadHash).toString("hex"),
      signed_in_at: by.signedInAt.toISOString(),
    },
  };
}
