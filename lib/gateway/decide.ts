import { requireFresh } from "@/lib/auth/reauth";
import type { Owner } from "@/lib/auth/session-row";
import { Refusal } from "@/lib/contract/errors";
import { type Risk, ROLES, type Role } from "@/lib/contract/vocabulary";
import { db, type Prisma } from "@/lib/db";
import { writeAudit } from "@/lib/gateway/audit";

/** How long a human's yes may be spent. */
const USABLE_MS = 3600_000;

/** These risks are an owner's to allow, with a sign-in of the last five minutes; the others a manager's, of fifteen. */
export const OWNERS_ONLY: readonly Risk[] = ["security", "access", "destructive"];
export const approverRole = (risk: Risk): Role => (OWNERS_ONLY.includes(risk) ? "owner" : "manager");
export const approverFreshMs = (risk: Risk): number => (OWNERS_ONLY.includes(risk) ? 5 : 15) * 60_000;

/** A signed-in human, with when they last proved who they are. */
interface Decider extends Pick<Owner, "personId" | "signedInAt" | "secondFactor"> {
  requestId: string;
}

/**
 * A human decides, once. Of two who decide at the same time the first wins, and both learn the same outcome. Whoever
 * has the role that the risk asks for may decide: the agent's own human, or someone else of the site. A no is taken
 * from anyone who is signed in, a yes only after a fresh sign-in.
 *
 * @throws Refusal `not_found` for a question that is not theirs, `approval_denied` when their role does not suffice or
 *   the question has ended undecided, `reauthentication_required` when their sign-in is too old for this risk.
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
  const waits = approval.status === "pending" && approval.expiresAt > now;
  if (waits && decision === "approved") requireFresh(by, approverFreshMs(approval.risk as Risk), now);
  return db().$transaction(async (tx) => {
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
      throw new Refusal("approval_denied", "This question has ended; the agent may ask again.");
    if (count === 1) await writeAudit(tx, auditOf(decided, decision, by, now));
    return decided;
  });
}

const approvalNotFound = () => new Refusal("not_found", "There is no such approval among yours.");

async function roleFor(siteId: number | null, personId: number): Promise<Role | null> {
  if (siteId === null) return null;
  const membership = await db().membership.findUnique({ where: { siteId_personId: { siteId, personId } } });
  return membership?.role ?? null;
}

/** What the rule looks at. */
export interface UndecidedApproval {
  siteId: number | null;
  risk: string;
  client: { ownerId: number | null; account: { ownerId: number | null } | null };
}

/** Whether an agent is this person's own: it acts for them, or they took its account over. */
export const isOwnAgent = ({ ownerId, account }: UndecidedApproval["client"], personId: number): boolean =>
  ownerId === personId || account?.ownerId === personId;

/**
 * Why someone with this role on the question's site (null: none) may not decide it, or null when they may. The one rule,
 * for the page that shows a question and for the decision.
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
  const least = needed === "owner" ? "an owner" : "a manager or an owner";
  return new Refusal(
    "approval_denied",
    `Only ${least} of the site may decide this; ${role ? `you are a ${role} there` : "you are not a member of it"}.`,
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
