import { setTimeout } from "node:timers/promises";
import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  UrlElicitationRequiredError,
} from "@modelcontextprotocol/server";
import canonicalize from "canonicalize";
import type { ChangeLine } from "@/lib/contract/define";
import type { McpCall } from "@/lib/mcp/call";
import { digestOf, type RequestState, sealState } from "@/lib/mcp/request-state";
import type { Asked } from "@/lib/mcp/tools";
import { db } from "@/lib/platform/db";
import type { Refusal } from "@/lib/platform/errors";

/**
 * Approvals of calls by assistants. The gateway requests, decides and spends them; here a client learns of one, and a
 * repeated call waits for the decision.
 */

const POLL_MS = 1_000;
/** How many calls of one client wait for a person at a time. */
const MAX_HELD = 3;
/** For how long a denial answers the same call of a client that repeats it without the approval's id. */
const DENIED_MS = 2 * 60_000;
const LONGEST_SUMMARY = 1_500;

/** The name of the request for input, in both directions. */
export const APPROVAL_INPUT = "approval";

/** How the client can show an address to its person: by a result (2026), by an error (2025), or not at all. */
export type ShowsUrls = "result" | "error" | "no";

/** The approval in the details of a refusal. */
interface Approval {
  id: string;
  status: string;
  operation: string;
  binding_code: string;
  approval_url: string;
  expires_at: string;
}

/** Returns the key that gives a change one effect: that of the caller, or one that belongs to the approval. */
export const keyFor = (approvalId: string, given: string | null): string => given ?? `approval-${approvalId}`;

/**
 * Returns the approval of exactly this call that waits or can be used: clients of 2025 repeat the call without its id, so
 * that those which show addresses also get to know here that it was just denied. Null when there is none.
 */
export async function approvalOf(
  { op, input }: Asked,
  { principal, now }: McpCall,
  shows: ShowsUrls,
): Promise<string | null> {
  const parsed = op.input.safeParse(input);
  if (!parsed.success) return null;
  const alike = await db().approval.findMany({
    where: {
      clientId: principal.clientId,
      operation: op.id,
      siteId: (parsed.data as { site_id?: number }).site_id ?? null,
      OR: [
        { status: { in: ["pending", "approved"] }, expiresAt: { gt: now } },
        ...(shows === "error"
          ? [{ status: "denied" as const, decidedAt: { gt: new Date(now.getTime() - DENIED_MS) } }]
          : []),
      ],
    },
    orderBy: { requestedAt: "desc" },
  });
  const body = canonicalize(parsed.data);
  const same = alike.find(({ document }) => canonicalize((document as { body: object }).body) === body);
  return same?.id ?? null;
}

/** Calls that are held open, by client. */
const held = new Map<string, number>();

/**
 * Waits until a person has decided, for at most `waitMs`. A client that holds several calls open already is answered at once.
 *
 * @returns the time then.
 */
export async function waitForDecision(approvalId: string, call: McpCall, signal: AbortSignal): Promise<Date> {
  const { clientId } = call.principal;
  const others = held.get(clientId) ?? 0;
  if (others >= MAX_HELD) return call.now;
  held.set(clientId, others + 1);
  const began = performance.now();
  try {
    for (;;) {
      const waited = performance.now() - began;
      const waits = await db().approval.count({ where: { id: approvalId, clientId, status: "pending" } });
      if (waits === 0 || waited >= call.waitMs || signal.aborted) return new Date(call.now.getTime() + waited);
      await setTimeout(Math.min(POLL_MS, call.waitMs - waited), undefined, { signal }).catch(() => undefined);
    }
  } finally {
    const left = (held.get(clientId) ?? 1) - 1;
    if (left > 0) held.set(clientId, left);
    else held.delete(clientId);
  }
}

/**
 * Answers a call that a person must approve.
 *
 * @param refusal the refusal `approval_required` of the gateway.
 * @param before what the client sent back; a person who has opened the page is not asked to open it again.
 * @throws UrlElicitationRequiredError for a client of 2025 that can show addresses.
 */
export async function askForApproval(
  refusal: Refusal,
  asked: Asked,
  call: McpCall,
  shows: ShowsUrls,
  before: RequestState | undefined,
): Promise<CallToolResult | InputRequiredResult> {
  const approval = refusal.details?.approval as Approval;
  if (approval.status === "denied") return deniedResult(approval, refusal, call);
  const message = await messageFor(approval, asked, `${refusal.details?.reason}`);
  const { approval_url: url } = approval;
  if (shows === "error") {
    throw new UrlElicitationRequiredError([{ mode: "url", message, url, elicitationId: approval.id }], message);
  }
  if (shows === "result") {
    const opened = before?.approval === approval.id;
    const state: RequestState = {
      operation: asked.op.id,
      digest: digestOf(asked.op, asked.input),
      key: keyFor(approval.id, asked.key),
      approval: approval.id,
      opened,
      expires: approval.expires_at,
    };
    if (opened) return inputRequired({ requestState: sealState(state, call) });
    return inputRequired({
      inputRequests: { [APPROVAL_INPUT]: inputRequired.elicitUrl({ message, url }) },
      requestState: sealState(state, call),
    });
  }
  const text = `${message}\n\nShow your person this address and code, then repeat the same call with approval_id ${approval.id}. A repeated call waits up to ${Math.round(call.waitMs / 1000)} seconds for the decision.\n\n${url}\nCode: ${approval.binding_code}`;
  return errorWith(text, approval, call);
}

/** Answers when the person did not open the address in their client. Nothing is done; the approval still waits. */
export const notOpened = (approvalId: string, { requestId }: McpCall): CallToolResult => ({
  content: [
    {
      type: "text",
      text: `Nothing was changed: your person did not open the approval page. The request waits in their inbox. If they approve it there, repeat the same call with approval_id ${approvalId}.`,
    },
  ],
  structuredContent: { approval: { id: approvalId }, request_id: requestId },
  isError: true,
});

const deniedResult = (approval: Approval, { retryAfter }: Refusal, call: McpCall): CallToolResult =>
  errorWith(
    `approval_denied: Nothing was changed. Your person denied this request. Talk to them.${
      retryAfter
        ? ` They denied it twice; it can be asked again in ${Math.ceil(retryAfter / 60)} minutes.`
        : " If they change their mind, repeat the call in two minutes, without approval_id."
    }`,
    approval,
    call,
  );

const errorWith = (text: string, approval: Approval, { requestId }: McpCall): CallToolResult => ({
  content: [{ type: "text", text }],
  structuredContent: { approval, approval_id: approval.id, request_id: requestId },
  isError: true,
});

/** Why an approval that was sent is not the one that is needed. */
const REASONS: Record<string, string> = {
  expired: "The earlier approval has expired, so this is a new request. ",
  consumed: "The earlier approval has been used, so this is a new request. ",
  withdrawn: "The earlier request was withdrawn, so this is a new one. ",
  context_changed: "The site has changed since the earlier request, so this is a new one. ",
  payload_mismatch: "The earlier approval was for another input, so this is a new request. ",
  unknown: "There is no such approval, so this is a new request. ",
};

/** Returns what the person is asked, with the changes that they will see on the page. */
async function messageFor({ id, binding_code }: Approval, { op }: Asked, reason: string): Promise<string> {
  const { lines } = await db().approval.findUniqueOrThrow({ where: { id } });
  const changes = (lines as unknown as ChangeLine[]).map(
    ({ label, before, after }) => `${label}: ${[before, after].filter((value) => value !== null).join(" → ")}`,
  );
  const text = `${REASONS[reason] ?? ""}A person must approve "${op.title}". The page shows the code ${binding_code}.`;
  return [text, ...changes].join("\n").slice(0, LONGEST_SUMMARY);
}
