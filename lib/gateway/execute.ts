import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { requireFresh } from "@/lib/auth/reauth";
import { RISKS, type Scope } from "@/lib/contract/access";
import type { AnyOperation, Operation, Owner, Principal, SiteAccess } from "@/lib/contract/define";
import { needsApproval, publicViewer, wayToScope } from "@/lib/contract/define";
import { ApprovalNeeded, buildApprovalRequest, consumeApproval } from "@/lib/gateway/approvals";
import { auditRowOf, type Changed, stateChange, writeAudit } from "@/lib/gateway/changes/audit";
import { lockSite } from "@/lib/gateway/changes/lock-site";
import { siteNotGranted } from "@/lib/gateway/changes/site-revision";
import { approverFreshMs } from "@/lib/gateway/decide";
import { findReplay, type IdempotentCall, idempotentCallOf } from "@/lib/gateway/idempotency/idempotency";
import { runIdempotent } from "@/lib/gateway/idempotency/run-idempotent";
import { emailOwners } from "@/lib/gateway/notices";
import { readInput } from "@/lib/gateway/read-input";
import { requestApproval } from "@/lib/gateway/request-approval";
import { type Db, db } from "@/lib/platform/db";
import { inProgress, Refusal, RefusalWithEffect } from "@/lib/platform/errors";
import { histogram } from "@/lib/platform/metrics";
import { isLockConflict } from "@/lib/platform/pool";
import { asReport } from "@/lib/platform/report-queries";
import { anonymousShares, type Shares, sharesOf } from "@/lib/platform/report-shares";
import { reportDeadlineMs } from "@/lib/platform/reports";
import { sharedSiteAccess, siteFor } from "@/lib/sites/access";
import {
  PUBLIC_DASHBOARD,
  requireShown,
  type SentFilter,
  type ShareLimits,
  sharedAnswer,
  sharedInput,
} from "@/lib/sites/share-limits";

export interface Call {
  principal: Principal;
  input: unknown;
  now: Date;
  requestId?: string;
  /** Required for writes by agents, not for a signed-in human. */
  idempotencyKey?: string | null;
  approvalId?: string | null;
  /** The owner's session. Risky operations need a sign-in as recent as an approval does. */
  session?: Pick<Owner, "signedInAt" | "secondFactor"> | undefined;
  /** Aborted when the client disconnects. */
  signal?: AbortSignal | undefined;
  /** The entry of the audit log that this write undoes; `check` refuses under the lock of the site what has changed meanwhile. */
  undoes?: { entryId: bigint; check(on: Db): Promise<void> };
  /** Answers also when the caller's report time is used up: for the small reports that every page needs. */
  overBudget?: boolean;
}

export interface Reply<Output> {
  data: Output;
  /** True when this is the stored answer of an earlier identical call. */
  replayed: boolean;
}

/**
 * Runs an operation. Every surface calls this, and the order of its steps is the access policy:
 * scope → input → fresh sign-in → stored answer → site and role → idempotency lock → approval → operation.
 * Calls that would fail anyway never request approval; a signed-in human needs none.
 *
 * @throws Refusal for every error that the caller can correct.
 */
export async function execute<Input extends z.ZodObject, Output extends z.ZodType>(
  op: Operation<Input, Output>,
  call: Call,
): Promise<Reply<z.output<Output>>> {
  requireScope(op, call.principal);
  const step: Step = { op, call, input: readInput(op, call.input), requestId: call.requestId ?? randomUUID() };
  if (call.session && needsApproval(op)) requireFresh(call.session, approverFreshMs(op.risk), call.now);

  const reply = RISKS[op.risk].method === "GET" ? runRead(step) : runWrite(step, idempotentCallFor(step));
  return reply as Promise<Reply<z.output<Output>>>;
}

/** Runs an analytics operation for a page, as a person or as an anonymous visitor. */
export type RunQuery = <Input extends z.ZodObject, Output extends z.ZodType>(
  op: Operation<Input, Output>,
  call: Pick<Call, "input" | "now" | "signal">,
) => Promise<{ data: z.output<Output> }>;

/** @param signal aborted when the client disconnects. */
export const queryAs =
  (principal: Principal, signal?: AbortSignal): RunQuery =>
  (op, call) =>
    execute(op, { signal, ...call, principal });

/** A site that callers without an account may see: because it is public, or by a private link. */
export interface SharedAccess {
  siteId: number;
  /** Whether the site must be public now. */
  isPublic: boolean;
  limits: ShareLimits;
  /** Filters of the address, without searches in dialogs; null if they are invalid. */
  filters: readonly SentFilter[] | null;
  /** The caller's IP address; its network is charged for the report time. */
  address: string;
}

/**
 * Returns a function that queries a site without sign-in, within the limits of what is shared.
 *
 * @throws Refusal `site_not_granted` for another site and one that is not shared, what `sharedInput` and the operation refuse,
 *   and `insufficient_scope` for an operation that is not an analytics report.
 */
export const queryShared =
  ({ siteId, isPublic, limits, filters, address }: SharedAccess): RunQuery =>
  async (op, call) => {
    if (!op.id.startsWith("analytics.") || op.role !== "viewer") {
      throw new Refusal("insufficient_scope", "Shared pages allow analytics reports only.");
    }
    requireShown(limits, { op, input: call.input as Record<string, unknown>, filters });
    const sent = readInput(op, call.input);
    if (sent.site_id !== siteId) throw siteNotGranted(Number(sent.site_id));
    const site = await sharedSiteAccess(db(), siteId, isPublic);
    const input = await sharedInput(limits, sent, { site, now: call.now });
    const step: Step = {
      op,
      call: { ...call, principal: publicViewer(isPublic ? site.publicRevenue : limits.revenue) },
      input: readInput(op, input),
      requestId: randomUUID(),
    };
    const { data } = await readData(step, site, anonymousShares(address));
    return { data: sharedAnswer(limits, op, data) } as never;
  };

/** The same for the public dashboard of whichever site the input names. */
export const queryPublicSite =
  (address: string, filters: SharedAccess["filters"] = []): RunQuery =>
  (op, call) => {
    const { site_id: siteId } = call.input as { site_id: number };
    return queryShared({ siteId, isPublic: true, limits: PUBLIC_DASHBOARD, filters, address })(op, call);
  };

async function runRead(step: Step): Promise<Reply<unknown>> {
  const site = await gate(step, db());
  const reply = await readData(step, site);
  if (step.op.auditsReads) await writeAuditRow(step, db(), site, { approvalId: null, data: reply.data });
  return reply;
}

const REPORT_SECONDS = histogram({
  name: "footfall_report_seconds",
  help: "Time to answer a report, including refused ones.",
  buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
  labelNames: ["operation"],
});

/** Scopes whose operations read facts, of one site or several, and so have the deadline and shares of reports. */
const READS_FACTS: ReadonlySet<Scope> = new Set<Scope>(["analytics:read", "events:read"]);

/** Runs a read operation; reads of facts are bound by the report deadline and shares. */
async function readData(
  step: Step,
  site: SiteAccess | null,
  shares: Shares = sharesOf(step.call.principal),
): Promise<Reply<unknown>> {
  const answer = () => work(step, db(), site);
  if (!READS_FACTS.has(step.op.scope)) return { data: await answer(), replayed: false };
  const { signal, overBudget = false } = step.call;
  const bounds = { shares, overBudget, deadlineMs: reportDeadlineMs(), signal };
  const began = performance.now();
  try {
    return { data: await asReport(bounds, answer), replayed: false };
  } finally {
    // Small reads of pages, which are polled, would hide how long people wait for reports.
    if (!overBudget) REPORT_SECONDS.observe({ operation: step.op.id }, (performance.now() - began) / 1000);
  }
}

async function runWrite(step: Step, idempotentCall: IdempotentCall | null): Promise<Reply<unknown>> {
  const finished = idempotentCall && (await findReplay(db(), idempotentCall, step.call.now));
  if (finished && step.op.removesAccess) return { data: finished.data, replayed: true };
  const site = await gate(step, db());
  if (finished) return { data: finished.data, replayed: true };
  const { reach, after } = step.op;
  try {
    const reply = await runIdempotent(idempotentCall, step.call.now, {
      reach: reach && (() => reach(operationContext(step, db(), site))),
      work: (tx, reached) => applyWrite(step, tx, reached),
    });
    if (!reply.replayed) after?.(reply.data);
    return reply;
  } catch (error) {
    if (error instanceof RefusalWithEffect) await error.afterRollback();
    if (error instanceof ApprovalNeeded) throw await requestApproval(error, step.call.now);
    if (isLockConflict(error)) throw inProgress();
    throw error;
  }
}

/** One validated call. */
interface Step {
  op: AnyOperation;
  call: Call;
  input: Record<string, unknown>;
  requestId: string;
}

/** @throws Refusal `insufficient_scope` when the agent's token lacks the operation's scope. */
export function requireScope(op: AnyOperation, principal: Principal): void {
  if (principal.kind === "owner" || principal.scopes.includes(op.scope)) return;
  throw new Refusal(
    "insufficient_scope",
    `${op.id} needs the scope ${op.scope}, which this token does not have. Request a token with it. ${wayToScope(principal)}`,
    { required_scope: op.scope },
  );
}

/** Returns the site of the input, after checking the caller's grant and role; null when the input has no site. */
async function gate({ op, call, input }: Step, on: Db): Promise<SiteAccess | null> {
  if (!("site_id" in input)) return null;
  return siteFor(on, call.principal, input.site_id as number, op.role, op.whileDisabled);
}

function idempotentCallFor({ op, call, input }: Step): IdempotentCall | null {
  if (call.principal.kind === "owner") return null;
  return idempotentCallOf(call.principal.clientId, call.idempotencyKey, op.id, input);
}

/** Arguments for the operation. The registry erases input and site types, hence the casts. */
function operationContext({ call, input, requestId }: Step, on: Db, site: SiteAccess | null, reached?: unknown) {
  const { principal, now } = call;
  return { input: input as never, principal, site: site as never, db: on, now, requestId, reached };
}

async function work(step: Step, on: Db, site: SiteAccess | null, reached?: unknown): Promise<unknown> {
  return step.op.output.parse(await step.op.run(operationContext(step, on, site, reached)));
}

/** Executes a write: locks the site and rechecks access, then approval, owner notification, effect, audit. */
async function applyWrite(step: Step, tx: Db, reached?: unknown): Promise<unknown> {
  if (typeof step.input.site_id === "number") await lockSite(tx, step.input.site_id);
  const site = await gate(step, tx);
  await step.call.undoes?.check(tx);
  const approvalId = await approve(step, tx, site);
  await notifyOwners(step, tx, site);
  const before = await stateOf(step, tx, site);
  const lines = before ? await step.op.summary?.(operationContext(step, tx, site)) : undefined;
  const data = await work(step, tx, site, reached);
  const changed = before && stateChange(before, await stateOf(step, tx, site), lines);
  await writeAuditRow(step, tx, site, { approvalId, data, changed });
  return data;
}

/** Returns the state that the operation changes; null if the audit log does not store it. */
const stateOf = async (step: Step, tx: Db, site: SiteAccess | null) =>
  (await step.op.current?.(operationContext(step, tx, site))) ?? null;

const writeAuditRow = (
  step: Step,
  tx: Db,
  site: SiteAccess | null,
  done: { approvalId: string | null; data: unknown; changed?: Changed | null },
) => {
  const { principal, now, undoes } = step.call;
  return writeAudit(tx, auditRowOf({ ...step, principal, now, site, undoes: undoes?.entryId, ...done }));
};

/** Consumes the approval of this call and returns its id; null when none is needed. */
async function approve(step: Step, tx: Db, site: SiteAccess | null): Promise<string | null> {
  const { op, call, input } = step;
  const { principal, now } = call;
  if (principal.kind === "owner" || !needsApproval(op) || !op.summary) return null;
  const approvalRequest = buildApprovalRequest(
    op,
    principal,
    site,
    await op.summary(operationContext(step, tx, site)),
    input,
  );
  return consumeApproval(tx, approvalRequest, call.approvalId ?? null, step.requestId, now);
}

/** Emails the owners about destructive, access and security changes, also when a human made them. */
async function notifyOwners(step: Step, tx: Db, site: SiteAccess | null): Promise<void> {
  const { op, call } = step;
  const lines = async () => (await op.summary?.(operationContext(step, tx, site))) ?? [];
  const { team_id: teamId } = step.input;
  const place = site ? { siteId: site.id } : typeof teamId === "number" ? { teamId } : null;
  await emailOwners(tx, { op, principal: call.principal, place, lines }, call.now);
}
