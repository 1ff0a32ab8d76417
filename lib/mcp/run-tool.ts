import { randomUUID } from "node:crypto";
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  type McpRequestContext,
  type ServerContext,
  UrlElicitationRequiredError,
} from "@modelcontextprotocol/server";
import { needsApproval } from "@/lib/contract/define";
import { execute } from "@/lib/gateway/execute";
import {
  APPROVAL_INPUT,
  approvalOf,
  askForApproval,
  keyFor,
  notOpened,
  type ShowsUrls,
  waitForDecision,
} from "@/lib/mcp/approvals";
import type { McpCall } from "@/lib/mcp/call";
import { findOperations } from "@/lib/mcp/find-operations";
import { digestOf, type RequestState } from "@/lib/mcp/request-state";
import { refusalResult, rowsThatFit, successResult } from "@/lib/mcp/results";
import type { Asked, Tool } from "@/lib/mcp/tools";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { refusalOf } from "@/lib/platform/http/respond";
import { inLanguage } from "@/lib/texts/in-language";

type Result = CallToolResult | InputRequiredResult;

/** Answers a call of a tool. A refusal is an error of the tool, which a model can read and correct. */
export async function answerTool(
  tool: Tool,
  args: Record<string, unknown>,
  call: McpCall,
  context: ServerContext,
  era: McpRequestContext["era"],
): Promise<Result> {
  let asked: Asked | undefined;
  try {
    asked = tool.read(args);
    const { op, key } = asked;
    if (needsApproval(op)) return await runApproved(asked, call, context, showsUrls(call, context, era));
    return await run(asked, { ...call, key: key ?? randomUUID(), approvalId: null }, context);
  } catch (error) {
    if (error instanceof UrlElicitationRequiredError) throw error;
    return refusalResult(refusalOf(error, call.requestId), call.requestId, asked?.hint ?? undefined);
  }
}

/** Answers a call of `operations_find`. */
export async function answerFind(args: Record<string, unknown>, call: McpCall): Promise<CallToolResult> {
  try {
    return findOperations(args, call.requestId);
  } catch (error) {
    return refusalResult(refusalOf(error, call.requestId), call.requestId);
  }
}

/** Runs the operation by the same policy as a call over HTTP, and a page that is too long again with fewer rows. */
async function run(
  asked: Asked,
  call: McpCall & { key: string; approvalId: string | null },
  context: ServerContext,
): Promise<CallToolResult> {
  const { op, input, rows } = asked;
  const { principal, now, requestId, key, approvalId } = call;
  const { signal } = context.mcpReq;
  const { data, replayed } = await inLanguage("en", () =>
    execute(op, { principal, input, now, requestId, approvalId, signal, idempotencyKey: key }),
  );
  const limit = rowsThatFit(op, data, rows);
  if (limit !== null) return run({ ...asked, input: { ...input, limit } }, call, context);
  return successResult({ op, input, data, replayed, requestId, rows });
}

/** Runs an operation that a person must approve. The row of the approval decides, not what the client says. */
async function runApproved(asked: Asked, call: McpCall, context: ServerContext, shows: ShowsUrls): Promise<Result> {
  const state = context.mcpReq.requestState<RequestState>();
  if (state) {
    requireSameCall(state, asked);
    if (!state.opened && !wasOpened(context)) return notOpened(state.approval, call);
  }
  const approvalId = state?.approval ?? asked.approvalId ?? (await approvalOf(asked, call, shows));
  const now = approvalId ? await waitForDecision(approvalId, call, context.mcpReq.signal) : call.now;
  const key = state?.key ?? (approvalId ? keyFor(approvalId, asked.key) : (asked.key ?? randomUUID()));
  try {
    return await run(asked, { ...call, now, key, approvalId }, context);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === "approval_required") return askForApproval(error, asked, call, shows, state);
    // The approval was used for another input, under the key that belongs to it: the caller has sent no key.
    const isOwnKey = approvalId !== null && key === keyFor(approvalId, null);
    if (error.code !== "idempotency_conflict" || !isOwnKey) throw error;
    return runApproved({ ...asked, approvalId: null }, call, context, shows);
  }
}

/** @throws Refusal `invalid_input` when the state belongs to another call of this client. */
function requireSameCall(state: RequestState, asked: Asked): void {
  if (state.operation === asked.op.id && state.digest === digestOf(asked.op, asked.input)) return;
  throw invalidInput([
    { path: "", message: "This state belongs to another call; repeat the call without it to ask for approval" },
  ]);
}

/** Whether the person agreed to open the approval page. */
function wasOpened({ mcpReq: { inputResponses } }: ServerContext): boolean {
  const response = inputResponses?.[APPROVAL_INPUT] as { action?: unknown } | undefined;
  return response?.action === "accept";
}

function showsUrls(call: McpCall, { mcpReq: { envelope } }: ServerContext, era: McpRequestContext["era"]): ShowsUrls {
  if (era === "legacy") return call.opensUrls ? "error" : "no";
  const declared = (envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
  return (declared as ClientCapabilities | undefined)?.elicitation?.url ? "result" : "no";
}
