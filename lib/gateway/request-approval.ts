import { randomInt } from "node:crypto";
import { ROLES, type Role } from "@/lib/contract/access";
import type { ApprovalNeeded, ApprovalRequest, ApprovalRow, ClientPrincipal, Reason } from "@/lib/gateway/approvals";
import { approverRole } from "@/lib/gateway/decide";
import { emailApprovers } from "@/lib/gateway/notices";
import { type Db, db, type Prisma } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { env } from "@/lib/platform/env";
import { Refusal } from "@/lib/platform/errors";
import { APPROVAL_RATES, PENDING_APPROVALS } from "@/lib/platform/limits";
import { lockRow } from "@/lib/platform/lock-row";
import { requireRate } from "@/lib/platform/rate";
import { freshSecret } from "@/lib/platform/secrets";

/** A pending approval expires after a day. */
export const PENDING_MS = DAY_MS;
/** A client may repeat a denied request once. After the second denial it must wait an hour. */
const DENIAL_COOLDOWN_MS = 3600_000;
const MAX_DENIALS = 2;
/** A request that follows its withdrawn predecessor within this time replaces it, so that it sends no second email. */
const REPLACES_WITHIN_MS = 3600_000;

/** Whether anyone can approve the request: the client's owner, or a site member with the required role. */
async function hasPossibleApprover(on: Db, { op, client, site }: ApprovalRequest): Promise<boolean> {
  if (!site) return client.personId !== null;
  const roles = Object.entries(ROLES).filter(([, { rank }]) => rank >= ROLES[approverRole(op.risk)].rank);
  const able = { siteId: site.id, role: { in: roles.map(([role]) => role as Role) } };
  return (await on.membership.count({ where: able })) > 0;
}

/**
 * Requests approval, or returns the request that is already pending. Runs outside the refused transaction.
 *
 * @returns the refusal to send: `approval_required` with what the agent must show its human, or
 *   `interactive_required` for a machine account without one.
 */
export async function requestApproval(needed: ApprovalNeeded, now: Date): Promise<Refusal> {
  const { request, approvalId } = needed;
  if (!(await hasPossibleApprover(db(), request))) return interactiveRequired(request.client);
  const approval = await (approvalId
    ? db().approval.findUniqueOrThrow({ where: { id: approvalId } })
    : deniedOrPending(request, now));
  if (approval.status === "denied") return denied(approval, request, now);
  const message =
    "A human must approve this exact request: show them approval_url and binding_code, then repeat the same request with the same Idempotency-Key and the header X-Agent-Approval-ID, waiting Retry-After seconds between tries.";
  return new Refusal("approval_required", message, detailsOf(approval, needed.reason), 5);
}

/** The refusal for a denied request. After the second denial within an hour it includes a retry time. */
async function denied(approval: ApprovalRow, request: ApprovalRequest, now: Date): Promise<Refusal> {
  const denials = await recentDenials(db(), request, now);
  const last = denials[0]?.decidedAt;
  const details = detailsOf(approval, "denied");
  if (denials.length < MAX_DENIALS || !last) {
    const message =
      "Your human denied this request. Talk to them. If they change their mind, repeat the call once without X-Agent-Approval-ID.";
    return new Refusal("approval_required", message, details);
  }
  const message =
    "Your human denied this request twice within an hour. Talk to them, then try again after Retry-After.";
  return new Refusal(
    "approval_required",
    message,
    details,
    (last.getTime() + DENIAL_COOLDOWN_MS - now.getTime()) / 1000,
  );
}

/** Denials of exactly this request in the last hour, newest first. */
const recentDenials = (on: Db, { client, payloadHash }: ApprovalRequest, now: Date): Promise<ApprovalRow[]> =>
  on.approval.findMany({
    where: {
      clientId: client.clientId,
      payloadHash,
      status: "denied",
      decidedAt: { gt: new Date(now.getTime() - DENIAL_COOLDOWN_MS) },
    },
    orderBy: { decidedAt: "desc" },
  });

function detailsOf(approval: ApprovalRow, reason: Reason): Record<string, unknown> {
  return {
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
}

function interactiveRequired(client: ClientPrincipal): Refusal {
  const details = { interactive_url: `${env().BASE_URL}/agents/claim/${client.clientId}` };
  return new Refusal(
    "interactive_required",
    "No human can approve changes of this site yet. Ask one to open interactive_url, prove the site's domain and take over the site.",
    details,
  );
}

/** Returns the last denial if there were two within an hour; otherwise the pending approval, or a new one. */
function deniedOrPending(request: ApprovalRequest, now: Date): Promise<ApprovalRow> {
  const { clientId } = request.client;
  return db().$transaction(async (tx) => {
    // Serialises the requests of one client, so that duplicates are found and limits hold.
    await lockRow(tx, "client", clientId);
    const same = { clientId, payloadHash: request.payloadHash };
    const denials = await recentDenials(tx, request, now);
    const known =
      denials.length >= MAX_DENIALS
        ? denials[0]
        : await tx.approval.findFirst({ where: { ...same, status: "pending", expiresAt: { gt: now } } });
    return known ?? createApproval(tx, request, now);
  });
}

async function createApproval(tx: Db, request: ApprovalRequest, now: Date): Promise<ApprovalRow> {
  const waiting = { clientId: request.client.clientId, status: "pending", expiresAt: { gt: now } } as const;
  const alike = { operation: request.op.id, siteId: request.site?.id ?? null };
  const isOutdated = await replaceOutdated(tx, request, waiting);
  const replaces = isOutdated || (await hasWithdrawn(tx, { ...alike, clientId: waiting.clientId }, now));
  await requireRoom(tx, waiting, alike, now);
  await countRequest(tx, request.client.clientId, now);
  const approval = await tx.approval.create({
    data: {
      ...alike,
      id: `apr_${freshSecret().slice(0, 24)}`,
      clientId: request.client.clientId,
      risk: request.op.risk,
      bindingCode: bindingCode(),
      document: request.document as Prisma.InputJsonObject,
      lines: request.lines as unknown as Prisma.InputJsonArray,
      payloadHash: request.payloadHash,
      requestedAt: now,
      expiresAt: new Date(now.getTime() + PENDING_MS),
    },
  });
  await emailApprovers(tx, request, { approval, replaces }, now);
  return approval;
}

/**
 * Supersedes this client's pending requests for an earlier revision of the site: they can no longer be executed.
 *
 * @returns whether one of them was for the same operation, which the new request replaces.
 */
async function replaceOutdated(
  tx: Db,
  { op, site }: ApprovalRequest,
  waiting: Prisma.ApprovalWhereInput,
): Promise<boolean> {
  if (!site) return false;
  const current = { document: { path: ["site", "revision"], equals: site.revision } };
  const outdated = { ...waiting, siteId: site.id, NOT: current };
  const same = await tx.approval.count({ where: { ...outdated, operation: op.id } });
  await tx.approval.updateMany({ where: outdated, data: { status: "superseded" } });
  return same > 0;
}

const hasWithdrawn = async (tx: Db, same: Prisma.ApprovalWhereInput, now: Date): Promise<boolean> => {
  const since = new Date(now.getTime() - REPLACES_WITHIN_MS);
  return (await tx.approval.count({ where: { ...same, status: "withdrawn", requestedAt: { gt: since } } })) > 0;
};

/** @throws Refusal `rate_limited` until the first of too many pending requests expires. */
async function requireRoom(
  tx: Db,
  waiting: Prisma.ApprovalWhereInput,
  alike: { operation: string; siteId: number | null },
  now: Date,
): Promise<void> {
  const { limit, per_operation_and_site } = PENDING_APPROVALS;
  const pending = await tx.approval.findMany({ where: waiting, orderBy: { expiresAt: "asc" } });
  const same = pending.filter(({ operation, siteId }) => operation === alike.operation && siteId === alike.siteId);
  const full = [
    { of: pending, most: limit, what: "in all" },
    { of: same, most: per_operation_and_site, what: `for ${alike.operation} on one site` },
  ].find(({ of, most }) => of.length >= most);
  if (!full) return;
  const message = `${full.of.length} of this client's requests wait for approval, and at most ${full.most} may ${full.what}. Ask your human to decide them, or withdraw one with approvals.withdraw. The first expires after Retry-After.`;
  const first = full.of[0]?.expiresAt ?? now;
  throw new Refusal("rate_limited", message, undefined, (first.getTime() - now.getTime()) / 1000);
}

/** Counts new requests, not pending ones, so superseding a request does not free quota. */
async function countRequest(tx: Db, clientId: string, now: Date): Promise<void> {
  const { limit, seconds } = APPROVAL_RATES.requests;
  const message = `A client may request at most ${limit} approvals an hour. Repeat the call after Retry-After.`;
  await requireRate(`approvals:client:${clientId}`, limit, seconds * 1000, now, message, tx);
}

/** Three letters and three digits that both agent and human see, to confirm they mean the same request. */
function bindingCode(): string {
  const letters = "BCDFGHJKLMNPQRSTVWXZ";
  const letter = () => letters[randomInt(letters.length)] ?? "B";
  return `${letter()}${letter()}${letter()}-${String(randomInt(1000)).padStart(3, "0")}`;
}
