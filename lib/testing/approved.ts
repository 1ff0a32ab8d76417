import { randomUUID } from "node:crypto";
import { decideApproval } from "@/lib/gateway/decide";
import { db } from "@/lib/platform/db";
import { signedIn } from "@/lib/testing/owners";
import { callApi } from "@/lib/testing/world";

/** Decides an approval request as a person who has just signed in. */
export async function decide(
  id: string,
  personId: number,
  decision: "approved" | "denied" = "approved",
  now = new Date(),
) {
  return decideApproval(id, decision, { ...(await signedIn(personId, now)), requestId: "test" }, now);
}

/**
 * Calls an operation over HTTP as an agent, approves the request as a person, and calls again.
 *
 * @returns the answer to the second call, what was sent for it, the answer to the first one, and the summary lines that
 *   the person saw.
 */
export async function callApproved(
  operation: string,
  { token, input, approverId, now }: { token: string; input: Record<string, unknown>; approverId: number; now: Date },
) {
  const request = { token, input, key: randomUUID(), now };
  const first = await callApi(operation, request);
  const id = first.body.error?.details?.approval?.id;
  if (!id) throw new Error(`No approval was requested: ${JSON.stringify(first.body)}`);
  await decide(id, approverId, "approved", now);
  const { document } = await db().approval.findUniqueOrThrow({ where: { id } });
  const sent = { ...request, headers: { "x-agent-approval-id": id } };
  const answer = await callApi(operation, sent);
  return { ...answer, sent, first, approvalId: id, lines: (document as { target: unknown }).target };
}
