import type { z } from "zod";
import { issuesOf } from "@/lib/contract/fields";
import { confidentialCallOf, findReplay, type IdempotentCall } from "@/lib/gateway/idempotency/idempotency";
import { runIdempotent } from "@/lib/gateway/idempotency/run-idempotent";
import { countedAddress } from "@/lib/platform/counted-address";
import { type Db, db } from "@/lib/platform/db";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { CALLER_HEADERS } from "@/lib/platform/http/caller";
import { type Answer, fromWeb, type Incoming, toWeb } from "@/lib/platform/http/http";
import { onOwnHost } from "@/lib/platform/http/require-own-host";
import { answer, readBody, refuse, requestIdOf } from "@/lib/platform/http/respond";
import { parseJson } from "@/lib/platform/json";
import { IDENTITY_RATES } from "@/lib/platform/limits";
import type { Internet } from "@/lib/platform/outbound/outbound";
import { requireRate } from "@/lib/platform/rate";
import { hexDigest } from "@/lib/platform/secrets";

const BODY_LIMIT_BYTES = 64 * 1024;

/** A validated call of an identity endpoint. */
export interface IdentityCall<Body> {
  body: Body;
  /** The caller's IP address. */
  address: string;
  requestId: string;
  now: Date;
  /** Replaces the Internet in tests. */
  internet: Internet | undefined;
}

/** Definition of one of the four endpoints under `/api/v1/agents/identity/`. */
export interface IdentityEndpoint<Input extends z.ZodObject, Output extends z.ZodObject, Reached = undefined> {
  /** The last segment of its path. */
  id: keyof typeof IDENTITY_RATES;
  title: string;
  about: string;
  input: Input;
  output: Output;
  /** Checks and limits before the call takes effect. */
  admit?(call: IdentityCall<z.output<Input>>): Promise<void>;
  /** Everything up to the proof, which is looked up outside of any transaction. */
  reach?(call: IdentityCall<z.output<Input>>): Promise<Reached>;
  work(tx: Db, call: IdentityCall<z.output<Input>>, reached: Reached): Promise<z.input<Output>>;
}

/**
 * Handles a request to `/api/v1/agents/identity/<id>`. Steps: method → rate limit → key and body → stored answer →
 * work. Callers are unauthenticated: neither cookies nor bearer tokens are read. Responds 201 `{data, request_id}`; the
 * answer contains secrets and is stored encrypted under the caller's idempotency key.
 *
 * @param internet replaces the Internet in tests.
 */
export async function answerIdentity<Input extends z.ZodObject, Output extends z.ZodObject, Reached>(
  request: Incoming & { method: string },
  endpoint: IdentityEndpoint<Input, Output, Reached>,
  now: Date,
  internet?: Internet,
): Promise<Answer> {
  const requestId = requestIdOf(request);
  try {
    if (request.method !== "POST") throw new Refusal("method_not_allowed", "Call this address with POST.");
    await countCall(endpoint.id, request.header(CALLER_HEADERS.address), now);
    const { body, idempotentCall } = await readCall(request, endpoint);
    const address = request.header(CALLER_HEADERS.address) || "unknown";
    const finished = await findReplay(db(), idempotentCall, now);
    const data = finished
      ? finished.data
      : await runCall(endpoint, { body, address, requestId, now, internet }, idempotentCall);
    return answer(201, { data, request_id: requestId }, requestId);
  } catch (error) {
    const isMethod = error instanceof Refusal && error.code === "method_not_allowed";
    return refuse(error, requestId, { headers: isMethod ? { allow: "POST" } : {} });
  }
}

/** Returns the Next route handler of an endpoint, for every HTTP method. */
export const identityRoute = <Input extends z.ZodObject, Output extends z.ZodObject, Reached>(
  endpoint: IdentityEndpoint<Input, Output, Reached>,
) =>
  onOwnHost(async (request) =>
    toWeb(await answerIdentity({ ...fromWeb(request), method: request.method }, endpoint, new Date())),
  );

async function countCall(id: keyof typeof IDENTITY_RATES, address: string | null, now: Date): Promise<void> {
  const { limit, seconds } = IDENTITY_RATES[id];
  const from = hexDigest(countedAddress(address ?? "unknown"));
  const message = `At most ${limit} ${id} an hour from one address. Try again after Retry-After.`;
  await requireRate(`identity:${id}:${from}`, limit, seconds * 1000, now, message);
}

async function readCall<Input extends z.ZodObject>(
  request: Incoming,
  { id, input }: { id: string; input: Input },
): Promise<{ body: z.output<Input>; idempotentCall: IdempotentCall }> {
  const key = request.header("idempotency-key");
  // Validates the key before reading the body.
  confidentialCallOf(id, key, null);
  const parsed = input.safeParse(parseJson(await readBody(request, BODY_LIMIT_BYTES, ["application/json"])), {
    reportInput: true,
  });
  if (!parsed.success) throw invalidInput(issuesOf(parsed.error));
  if ("recovery_key" in parsed.data && parsed.data.recovery_key === key) {
    const message = "must differ from the recovery key; generate 32 other random bytes";
    throw invalidInput([{ path: "Idempotency-Key", message }]);
  }
  return { body: parsed.data, idempotentCall: confidentialCallOf(id, key, parsed.data) };
}

async function runCall<Input extends z.ZodObject, Output extends z.ZodObject, Reached>(
  endpoint: IdentityEndpoint<Input, Output, Reached>,
  call: IdentityCall<z.output<Input>>,
  idempotentCall: IdempotentCall,
): Promise<unknown> {
  await endpoint.admit?.(call);
  const { reach } = endpoint;
  const { data } = await runIdempotent(idempotentCall, call.now, {
    reach: reach && (() => reach(call)),
    work: async (tx, reached) => endpoint.output.parse(await endpoint.work(tx, call, reached as Reached)),
  });
  return data;
}
