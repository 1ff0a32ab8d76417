import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { requireFresh } from "@/lib/auth/reauth";
import type { Owner } from "@/lib/auth/session-row";
import type { AnyOperation, Operation, Principal, SiteAccess } from "@/lib/contract/define";
import { LastingRefusal, Refusal } from "@/lib/contract/errors";
import { RISKS, type Scope } from "@/lib/contract/vocabulary";
import { type Db, db, reportDeadlineMs } from "@/lib/db";
import { ApprovalNeeded, asksHuman, buildApprovalRequest, spendApproval } from "@/lib/gateway/approvals";
import { auditRowOf, writeAudit } from "@/lib/gateway/audit";
import { approverFreshMs } from "@/lib/gateway/decide";
import { findReplay, type IdempotentCall, idempotentCallOf, inProgress } from "@/lib/gateway/idempotency";
import { lockSite } from "@/lib/gateway/lock-site";
import { emailOwners } from "@/lib/gateway/notices";
import { readInput } from "@/lib/gateway/read-input";
import { requestApproval } from "@/lib/gateway/request-approval";
import { runIdempotent } from "@/lib/gateway/run-idempotent";
import { histogram } from "@/lib/metrics/registry";
import { isOutOfTurn } from "@/lib/pool";
import { asReport } from "@/lib/report-queries";
import { anonymousShares, type Shares, sharesOf } from "@/lib/report-shares";
import { publicSite, siteFor } from "@/lib/sites/access";

export interface Call {
  principal: Principal;
  input: unknown;
  now: Date;
  requestId?: string;
  /** An agent's writes need one; a signed-in human's do not. */
  idempotencyKey?: string | null;
  approvalId?: string | null;
  /** The session on one of our pages: it must be as fresh as a person's who allows the operation to an agent. */
  session?: Pick<Owner, "signedInAt" | "secondFactor"> | undefined;
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal | undefined;
}

export interface Reply<Output> {
  data: Output;
  /** This is the remembered answer of an earlier identical call. */
  replayed: boolean;
}

/**
 * The one way to run an operation. Every surface comes through here, and the order of the lines is the policy:
 * scope → input → fresh sign-in → a finished identical call → site and role → the claim of the key → approval → the work.
 * A call that would fail anyway never bothers a human; a signed-in human is the approval.
 *
 * @throws Refusal for every "no" that is the caller's to mend.
 */
export async function execute<Input extends z.ZodObject, Output extends z.ZodType>(
  op: Operation<Input, Output>,
  call: Call,
): Promise<Reply<z.output<Output>>> {
  requireScope(op, call.principal);
  const step: Step = { op, call, input: readInput(op, call.input), requestId: call.requestId ?? randomUUID() };
  if (call.session && asksHuman(op)) requireFresh(call.session, approverFreshMs(op.risk), call.now);

  const reply = RISKS[op.risk].method === "GET" ? runRead(step) : runWrite(step, idempotentCallFor(step));
  return reply as Promise<Reply<z.output<Output>>>;
}

/** How a page asks for numbers: as somebody, or as anyone. */
export type Ask = <Input extends z.ZodObject, Output extends z.ZodType>(
  op: Operation<Input, Output>,
  call: Pick<Call, "input" | "now" | "signal">,
) => Promise<{ data: z.output<Output> }>;

/** @param signal aborted when nobody waits for the answers any more. */
export const queryAs =
  (principal: Principal, signal?: AbortSignal): Ask =>
  (op, call) =>
    execute(op, { signal, ...call, principal });

/** Nobody: people's numbers begin at 1. */
const NOBODY: Principal = { kind: "owner", personId: 0 };

/**
 * Asks for the numbers of a public site, which anyone may see.
 *
 * @param address of the caller, whose network the report counts towards.
 * @throws Refusal `site_not_granted` when the site is missing or not public, and what the operation refuses;
 *   `insufficient_scope` for an operation that does more than to tell numbers.
 */
export const queryPublicSite =
  (address: string): Ask =>
  async (op, call) => {
    if (op.scope !== "analytics:read" || op.role !== "viewer") {
      throw new Refusal("insufficient_scope", "Of a public site anyone may see the numbers, and nothing else.");
    }
    const step: Step = {
      op,
      call: { ...call, principal: NOBODY },
      input: readInput(op, call.input),
      requestId: randomUUID(),
    };
    const site = await publicSite(db(), step.input.site_id as number);
    return (await readData(step, site, anonymousShares(address))) as never;
  };

async function runRead(step: Step): Promise<Reply<unknown>> {
  const site = await gate(step, db());
  const reply = await readData(step, site);
  if (step.op.auditsReads) await writeAuditRow(step, db(), site, { approvalId: null, data: reply.data });
  return reply;
}

const REPORT_SECONDS = histogram({
  name: "footfall_report_seconds",
  help: "Time to answer a report, also where it was refused.",
  buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
  labelNames: ["operation"],
});

/** What is read from facts has the deadline and the shares of reports. */
const READS_FACTS: ReadonlySet<Scope> = new Set<Scope>(["analytics:read", "events:read"]);

/** What an operation that only reads has to say of a site, or of none. */
async function readData(
  step: Step,
  site: SiteAccess | null,
  shares: Shares = sharesOf(step.call.principal),
): Promise<Reply<unknown>> {
  const answer = () => work(step, db(), site);
  if (!site || !READS_FACTS.has(step.op.scope)) return { data: await answer(), replayed: false };
  const bounds = { shares, deadlineMs: reportDeadlineMs(), signal: step.call.signal };
  const began = performance.now();
  try {
    return { data: await asReport(bounds, answer), replayed: false };
  } finally {
    REPORT_SECONDS.observe({ operation: step.op.id }, (performance.now() - began) / 1000);
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
    if (error instanceof LastingRefusal) await error.leave();
    if (error instanceof ApprovalNeeded) throw await requestApproval(error, step.call.now);
    if (isOutOfTurn(error)) throw inProgress();
    throw error;
  }
}

/** One call on its way. */
interface Step {
  op: AnyOperation;
  call: Call;
  input: Record<string, unknown>;
  requestId: string;
}

/** @throws Refusal `insufficient_scope` for an agent whose token does not reach this operation. */
export function requireScope(op: AnyOperation, principal: Principal): void {
  if (principal.kind === "owner" || principal.scopes.includes(op.scope)) return;
  const otherwise =
    principal.clientKind === "delegated"
      ? "or, if your human has not granted it, for a new consent at /oauth/device/code"
      : "or, if this client was not registered with it, do without";
  throw new Refusal(
    "insufficient_scope",
    `${op.id} needs the scope ${op.scope}, which this token does not have; ask for a token with it, ${otherwise}.`,
    { required_scope: op.scope },
  );
}

/** The site that the input names, if the caller may act on it with the role that the operation asks for. */
async function gate({ op, call, input }: Step, on: Db): Promise<SiteAccess | null> {
  return "site_id" in input ? siteFor(on, call.principal, input.site_id as number, op.role) : null;
}

function idempotentCallFor({ op, call, input }: Step): IdempotentCall | null {
  if (call.principal.kind === "owner") return null;
  return idempotentCallOf(call.principal.clientId, call.idempotencyKey, op.id, input);
}

/** What an operation is given. The registry has lost which input and site go with which operation; here they meet again. */
function operationContext({ call, input, requestId }: Step, on: Db, site: SiteAccess | null, reached?: unknown) {
  const { principal, now } = call;
  return { input: input as never, principal, site: site as never, db: on, now, requestId, reached };
}

async function work(step: Step, on: Db, site: SiteAccess | null, reached?: unknown): Promise<unknown> {
  return step.op.output.parse(await step.op.run(operationContext(step, on, site, reached)));
}

/** The act itself, on a site that is locked and looked at once more: approval, notice, effect, audit. */
async function applyWrite(step: Step, tx: Db, reached?: unknown): Promise<unknown> {
  if (typeof step.input.site_id === "number") await lockSite(tx, step.input.site_id);
  const site = await gate(step, tx);
  const approvalId = await approve(step, tx, site);
  await notifyOwners(step, tx, site);
  const data = await work(step, tx, site, reached);
  await writeAuditRow(step, tx, site, { approvalId, data });
  return data;
}

const writeAuditRow = (
  step: Step,
  tx: Db,
  site: SiteAccess | null,
  done: { approvalId: string | null; data: unknown },
) => writeAudit(tx, auditRowOf({ ...step, principal: step.call.principal, now: step.call.now, site, ...done }));

/** The human's yes that this call spends; null where none is needed. */
async function approve(step: Step, tx: Db, site: SiteAccess | null): Promise<string | null> {
  const { op, call, input } = step;
  const { principal, now } = call;
  if (principal.kind === "owner" || !asksHuman(op) || !op.summary) return null;
  const approvalRequest = buildApprovalRequest(
    op,
    principal,
    site,
    await op.summary(operationContext(step, tx, site)),
    input,
  );
  return spendApproval(tx, approvalRequest, call.approvalId ?? null, step.requestId, now);
}

/** Owners hear of what cannot be undone and of what changes who may act or what is trusted, also when a human did it. */
async function notifyOwners(step: Step, tx: Db, site: SiteAccess | null): Promise<void> {
  const { op, call } = step;
  const lines = async () => (await op.summary?.(operationContext(step, tx, site))) ?? [];
  await emailOwners(tx, { op, principal: call.principal, site, lines }, call.now);
}
