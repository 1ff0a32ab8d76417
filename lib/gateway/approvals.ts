import { createHash, randomInt } from "node:crypto";
import canonicalize from "canonicalize";
import type { AnyOperation, ChangeLine, Principal, SiteAccess } from "@/lib/contract/define";
import { Refusal } from "@/lib/contract/errors";
import { RISKS, ROLES } from "@/lib/contract/vocabulary";
import { type Db, db, type Prisma } from "@/lib/db";
import { env } from "@/lib/env";
import { approverRole } from "@/lib/gateway/decide";
import { managementResource } from "@/lib/oauth/tokens";
import { freshSecret } from "@/lib/secrets";

/** A question waits a day for its human. */
const PENDING_MS = 24 * 3600_000;
const MOST_PENDING = 20;
const MOST_PENDING_ALIKE = 5;

type ClientPrincipal = Principal & { kind: "client" };
type Reason =
  | "no_approval"
  | "unknown"
  | "pending"
  | "denied"
  | "expired"
  | "consumed"
  | "payload_mismatch"
  | "context_changed";

/** What a client wants to do, in the one form that is hashed: a human's yes is bound to exactly this. */
export interface Wish {
  op: AnyOperation;
  client: ClientPrincipal;
  site: SiteAccess | null;
  lines: ChangeLine[];
  document: Record<string, unknown>;
  payloadHash: Uint8Array<ArrayBuffer>;
}

/** Thrown within the operation's transaction, so that it rolls back; the question is then asked outside of it. */
export class NeedsHuman extends Error {
  constructor(
    readonly wish: Wish,
    readonly reason: Reason,
    /** The approval that the answer speaks of; null when a new question is to be asked. */
    readonly approvalId: string | null,
  ) {
    super("a human must be asked");
  }
}

/**
 * The canonical document of a call (RFC 8785) and its SHA-256. The site's revision and the lines with their resolved
 * meanings are part of it: when the world has changed since, the approval no longer fits.
 */
export function wishOf(
  op: AnyOperation,
  client: ClientPrincipal,
  site: SiteAccess | null,
  lines: ChangeLine[],
  input: unknown,
): Wish {
  const document = {
    v: 1,
    type: "management_operation",
    operation: op.id,
    risk: op.risk,
    client_id: client.clientId,
    resource: managementResource(),
    site: site && { id: site.id, domain: site.domain, revision: site.revision },
    target: lines,
    body: input,
  };
  const text = `approval/v1\n${canonicalize(document) ?? ""}`;
  const payloadHash = new Uint8Array(createHash("sha256").update(text).digest());
  return { op, client, site, lines, document: JSON.parse(JSON.stringify(document)), payloadHash };
}

/**
 * Spends the human's yes to exactly this wish, in the operation's own transaction: when the operation fails, the yes
 * is unspent again.
 *
 * @returns the id of the approval.
 * @throws NeedsHuman when there is none to spend.
 */
export async function spendApproval(tx: Db, wish: Wish, given: string | null, requestId: string, now: Date) {
  if (!given) throw new NeedsHuman(wish, "no_approval", null);
  const { count } = await tx.approval.updateMany({
    where: {
      id: given,
      clientId: wish.client.clientId,
      payloadHash: wish.payloadHash,
      status: "approved",
      expiresAt: { gt: now },
    },
    data: { status: "consumed", consumedAt: now, requestId },
  });
  const approval = await tx.approval.findFirst({ where: { id: given, clientId: wish.client.clientId } });
  if (count === 1 && approval) {
    if (await mayApprove(tx, wish, approval.approverId)) return approval.id;
    throw new NeedsHuman(wish, "context_changed", null);
  }
  const reason = approval ? unspendable(approval, wish, now) : "unknown";
  throw new NeedsHuman(wish, reason, reason === "pending" || reason === "denied" ? given : null);
}

function unspendable(approval: Prisma.ApprovalGetPayload<object>, wish: Wish, now: Date): Reason {
  if (approval.status === "denied") return "denied";
  if (approval.status === "consumed" || approval.status === "superseded") return "consumed";
  const asked = approval.document as { operation?: unknown; body?: unknown };
  const sameInput =
    asked.operation === wish.op.id && canonicalize(asked.body) === canonicalize(wish.document.body as object);
  if (!sameInput) return "payload_mismatch";
  if (!Buffer.from(approval.payloadHash).equals(Buffer.from(wish.payloadHash))) return "context_changed";
  return approval.expiresAt <= now ? "expired" : "pending";
}

/** Whether a person may allow this now: the role on the site counts that they hold at this moment. */
async function mayApprove(on: Db, wish: Pick<Wish, "op" | "client" | "site">, personId: number | null) {
  if (personId === null) return false;
  if (wish.client.clientKind === "delegated" && wish.client.personId !== personId) return false;
  if (!wish.site) return wish.client.personId === personId;
  const membership = await on.membership.findUnique({
    where: { siteId_personId: { siteId: wish.site.id, personId } },
  });
  return membership !== null && ROLES[membership.role].rank >= ROLES[approverRole(wish.op.risk)].rank;
}

/**
 * Asks a human, or points to the question that waits already. Written outside the refused transaction.
 *
 * @returns the refusal to answer with: `approval_required` with everything the agent shows its human, or
 *   `interactive_required` for a machine that has none.
 */
export async function askHuman(needed: NeedsHuman, now: Date): Promise<Refusal> {
  const { wish, reason, approvalId } = needed;
  if (wish.client.personId === null) return interactiveRequired(wish.client);
  const approval = await (approvalId
    ? db().approval.findUniqueOrThrow({ where: { id: approvalId } })
    : pendingOrNew(wish, now));
  const message =
    reason === "denied"
      ? "Your human has denied this; ask them before you try it in another way."
      : "A human must approve this exact request: show them approval_url and binding_code, then repeat the same request with the same Idempotency-Key and the header X-Agent-Approval-ID.";
  const details = {
    reason,
    approval: {
      id: approval.id,
      status: approval.status,
      operation: approval.operation,
      risk: approval.risk,
      payload_sha256: Buffer.from(approval.payloadHash).toString("hex"),
      binding_code: approval.bindingCode,
      approval_url: `${env().BASE_URL}/approvals/${approval.id}`,
      expires_at: approval.expiresAt.toISOString(),
    },
  };
  return new Refusal("approval_required", message, details, 5);
}

function interactiveRequired(client: ClientPrincipal): Refusal {
  const details = { interactive_url: `${env().BASE_URL}/agents/claim/${client.clientId}` };
  return new Refusal(
    "interactive_required",
    "No human stands behind this client who could approve; ask one to open interactive_url, prove the domain and take the site over.",
    details,
  );
}

async function pendingOrNew(wish: Wish, now: Date): Promise<Prisma.ApprovalGetPayload<object>> {
  const waiting = { clientId: wish.client.clientId, status: "pending", expiresAt: { gt: now } } as const;
  const same = await db().approval.findFirst({ where: { ...waiting, payloadHash: wish.payloadHash } });
  if (same) return same;
  const alike = { operation: wish.op.id, siteId: wish.site?.id ?? null };
  const [all, likeIt] = await Promise.all([
    db().approval.count({ where: waiting }),
    db().approval.count({ where: { ...waiting, ...alike } }),
  ]);
  if (all >= MOST_PENDING || likeIt >= MOST_PENDING_ALIKE) {
    throw new Refusal(
      "rate_limited",
      "Too many requests of this client wait for a human already; let them be decided first.",
      undefined,
      60,
    );
  }
  return db().approval.create({
    data: {
      ...alike,
      id: `apr_${freshSecret().slice(0, 24)}`,
      clientId: wish.client.clientId,
      risk: wish.op.risk,
      bindingCode: bindingCode(),
      document: wish.document as Prisma.InputJsonObject,
      lines: wish.lines as unknown as Prisma.InputJsonArray,
      payloadHash: wish.payloadHash,
      requestedAt: now,
      expiresAt: new Date(now.getTime() + PENDING_MS),
    },
  });
}

/** Three letters and three digits that agent and human both see, so that they speak of the same request. */
function bindingCode(): string {
  const letters = "BCDFGHJKLMNPQRSTVWXZ";
  const letter = () => letters[randomInt(letters.length)] ?? "B";
  return `${letter()}${letter()}${letter()}-${String(randomInt(1000)).padStart(3, "0")}`;
}

/** Whether this operation asks a human when an agent calls it. */
export const asksHuman = (op: AnyOperation): boolean => RISKS[op.risk].asksHuman;
