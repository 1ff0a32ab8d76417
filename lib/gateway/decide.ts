import { requireFresh } from "@/lib/auth/reauth";
import { lockSession } from "@/lib/auth/session-row";
import { type Risk, ROLES, type Role } from "@/lib/contract/access";
import type { Owner } from "@/lib/contract/define";
import { writeAudit } from "@/lib/gateway/changes/audit";
import { db, type Prisma } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";

/** How long an approved request can be executed. */
const USABLE_MS = 3600_000;

/** Only owners approve these, with a sign-in under 5 minutes old; managers approve the others, under 15 minutes. */
export const OWNERS_ONLY: readonly Risk[] = ["security", "access", "destructive"];
export const approverRole = (risk: Risk): Role => (OWNERS_ONLY.includes(risk) ? "owner" : "manager");
export const approverFreshMs = (risk: Risk): number => (OWNERS_ONLY.includes(risk) ? 5 : 15) * 60_000;

/** The signed-in person who decides, with the time of their last sign-in. */
interface Decider extends Pick<Owner, "personId" | "sid" | "signedInAt" | "secondFactor"> {
  requestId: string;
}

/**
 * Approves or denies a request, once. When two people decide at the same time, the first wins and both get that
 * outcome. The decider needs the role that the risk requires. Approving needs a recent sign-in, denying does not.
 *
 * @throws Refusal `not_found` when the person may not see the request, `approval_denied` when their role is too low
 *   or the request has expired, `reauthentication_required` when their sign-in is too old for this risk.
 */
export async function decideApproval(
  id: string,
  decision: "approved" | "denied",
  by: Decider,
  now: Date,
): Promise<Prisma.ApprovalGetPayload<object>> {
  const approval = await db().approval.findUnique({
    where: { id },
    include: { client: { include: { account: true } } },
  });
  if (!approval) throw approvalNotFound();
  const obstacle = obstacleFor(approval, by.personId, await roleFor(approval.siteId, by.personId));
  if (obstacle) throw obstacle;
  const isPending = approval.status === "pending" && approval.expiresAt > now;
  if (isPending && decision === "approved") requireFresh(by, approverFreshMs(approval.risk as Risk), now);
  return db().$transaction(async (tx) => {
    await lockSession(tx, by, now);
    const { count } = await tx.approval.updateMany({
      where: { id, status: "pending", expiresAt: { gt: now }, client: { revokedAt: null } },
      data: {
        status: decision,
        approverId: by.personId,
        decidedAt: now,
        ...(decision === "approved" ? { expiresAt: new Date(now.getTime() + USABLE_MS) } : {}),
      },
    });
    const decided = await tx.approval.findUniqueOrThrow({ where: { id } });
    if (decided.status === "pending")
      throw new Refusal("approval_denied", "This request has expired. The agent can request approval again.");
    if (count === 1) await writeAudit(tx, auditOf(decided, decision, by, now));
    return decided;
  });
}

const approvalNotFound = () => new Refusal("not_found", "No such approval in your inbox.");

async function roleFor(siteId: number | null, personId: number): Promise<Role | null> {
  if (siteId === null) return null;
  const membership = await db().membership.findUnique({ where: { siteId_personId: { siteId, personId } } });
  return membership?.role ?? null;
}

/** The fields that decide who may approve. */
export interface UndecidedApproval {
  siteId: number | null;
  risk: string;
  client: { ownerId: number | null; account: { ownerId: number | null } | null };
}

/** Whether the agent acts for this person, or they took over its account. */
export const isOwnAgent = ({ ownerId, account }: UndecidedApproval["client"], personId: number): boolean =>
  ownerId === personId || account?.ownerId === personId;

/**
 * Returns why a person with this role on the site (null: no role) may not decide, or null when they may. Used by both
 * the page and the decision.
 */
export function obstacleFor(
  { siteId, risk, client }: UndecidedApproval,
  personId: number,
  role: Role | null,
): Refusal | null {
  if (siteId === null) return client.ownerId === personId ? null : approvalNotFound();
  if (!role && !isOwnAgent(client, personId)) return approvalNotFound();
  const needed = approverRole(risk as Risk);
  if (role && ROLES[role].rank >= ROLES[needed].rank) return null;
  const approvers = needed === "owner" ? "an owner" : "a manager or an owner";
  return new Refusal(
    "approval_denied",
    `Only ${approvers} of the site may decide this; ${role ? `you are a ${role} there` : "you are not a member of it"}.`,
  );
}

function auditOf(
  approval: Prisma.ApprovalGetPayload<object>,
  decision: string,
  by: Decider,
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
