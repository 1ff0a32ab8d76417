import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { z } from "zod";
import type { AnyOperation } from "@/lib/contract/define";
import type { McpCall } from "@/lib/mcp/call";
import { Fault } from "@/lib/platform/errors";
import { seal, unseal } from "@/lib/platform/secrets";

/** What a client carries from a call that waits for a person to its repetition. Sealed, and bound to the client. */
const stateShape = z.strictObject({
  operation: z.string(),
  /** SHA-256 of operation and input. */
  digest: z.string(),
  /** The idempotency key of the change. */
  key: z.string(),
  approval: z.string(),
  /** Whether the person has agreed to open the approval page, so that they are not asked again. */
  opened: z.boolean(),
  expires: z.iso.datetime(),
});
export type RequestState = z.infer<typeof stateShape>;

const placeOf = ({ principal }: McpCall): string => ["mcp.request_state", principal.clientId].join(":");

export const sealState = (state: RequestState, call: McpCall): string =>
  seal(Buffer.from(JSON.stringify(state)), placeOf(call)).toString("base64url");

/** Returns the state that the client sent back. @throws when it was changed, is another client's or has expired. */
export function openState(text: string, call: McpCall): RequestState {
  const state = stateShape.parse(JSON.parse(unseal(Buffer.from(text, "base64url"), placeOf(call)).toString()));
  if (new Date(state.expires) <= call.now) throw new Fault("The state of a request has expired");
  return state;
}

/** Returns the SHA-256 of exactly this call. */
export const digestOf = (op: AnyOperation, input: unknown): string =>
  createHash("sha256")
    .update(`${op.id}\n${canonicalize(input) ?? ""}`)
    .digest("hex");
