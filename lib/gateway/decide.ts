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
 * A human decides, once. Of two who decide at the same time the first wins, and both learn the same outcome.
 *
 * @param signedInAt when this human last proved who they are.
 * @throws Refusal `not_found` for a question that is not theirs, `approval_denied` when their role or the age of
 *   their sign-in does not suffice.
 */
export async function decideApproval(
  id: string,
  decision: "approved" | "denied",
  by: { personId: number; signedInAt: Date },
  now: Date,
): Promise<Prisma.ApprovalGetPayload<object>> {
  const approval = await db().approval.findUnique({ where: { id }, include: { client: true } });
  const risk = approval?.risk as Risk;
  const own = approval?.client.ownerId === by.personId;
  const membership =
    approval?.siteId == null
      ? null
      : await db().membership.findUnique({
          where: { siteId_personId: { siteId: approval.siteId, personId: by.personId } },
        });
  const concerned = own || (approval?.client.kind === "machine" && membership !== null);
  if (!approval || !concerned) throw new Refusal("not_found", "There is no such approval among yours.");
  if (approval.siteId !== null && (!membership || ROLES[membership.role].rank < ROLES[approverRole(risk)].rank)) {
    throw new Refusal(
      "approval_denied",
      `Only someone with the role ${approverRole(risk)} on the site may decide this.`,
    );
  }
  if (decision === "approved" && now.getTime() - by.signedInAt.getTime() > approverFreshMs(risk)) {
    throw new Refusal("approval_denied", "Sign in once more, then decide.");
  }
  await db().approval.updateMany({
    where: { id, status: "pending", expiresAt: { gt: now } },
    data: {
      status: decision,
      approverId: by.personId,
      decidedAt: now,
      ...(decision === "approved" ? { expiresAt: new Date(now.getTime() + USABLE_MS) } : {}),
    },
  });
  return db().approval.findUniqueOrThrow({ where: { id } });
}
