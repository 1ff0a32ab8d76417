import { requireOwnPage } from "@/lib/api/own-page";
import { knownBrowserHeader } from "@/lib/auth/known-browser";
import { sessionEnded } from "@/lib/auth/session-ended";
import type { Browser, Entered, Owner } from "@/lib/contract/define";
import { execute } from "@/lib/gateway/execute";
import { executePersonal } from "@/lib/gateway/execute-personal";
import { readInput } from "@/lib/gateway/read-input";
import { ENTRY_OPERATIONS } from "@/lib/operations/entry/index";
import { OPERATIONS } from "@/lib/operations/index";
import { PERSONAL_OPERATIONS } from "@/lib/operations/personal/index";
import { countedAddress } from "@/lib/platform/counted-address";
import { Refusal } from "@/lib/platform/errors";
import { CALLER_HEADERS } from "@/lib/platform/http/caller";
import type { Answer, Incoming } from "@/lib/platform/http/http";
import { answer, readBody, refuse, requestIdOf } from "@/lib/platform/http/respond";
import { parseJson } from "@/lib/platform/json";
import { describeError, log } from "@/lib/platform/log";
import { requireRate } from "@/lib/platform/rate";
import { hexDigest } from "@/lib/platform/secrets";

const BODY_LIMIT_BYTES = 64 * 1024;
const ACTIONS_PER_MINUTE = 120;

/** An answer, and the work that begins once it is sent. */
export interface ActionAnswer extends Answer {
  after?: () => Promise<void>;
}

/**
 * `POST /actions/<operationId>`: runs an operation for a person on one of our pages. Requires a same-origin request, and
 * with a session its CSRF token; only entry operations do without a session. Bearer tokens are ignored.
 */
export async function act(
  request: Incoming,
  operationId: string,
  session: Owner | null | Promise<Owner | null>,
  now: Date,
): Promise<ActionAnswer> {
  const requestId = requestIdOf(request);
  try {
    const owner = await session;
    const run = operationFor(operationId, owner);
    requireOwnPage(request, owner);
    const browser = browserOf(request);
    await countAction(owner, browser, now);
    const input = parseJson(await readBody(request, BODY_LIMIT_BYTES, ["application/json"]));
    const { data, knownFor, cookie, after } = await run({ input, browser, now, requestId, signal: request.signal });
    const setCookie = cookie ?? (knownFor === undefined ? undefined : knownBrowserHeader(knownFor));
    const done = answer(200, { data, request_id: requestId }, requestId, setCookie ? { "set-cookie": setCookie } : {});
    return after ? { ...done, after: () => after().catch(logFailure(operationId, requestId)) } : done;
  } catch (error) {
    return refuse(error, requestId);
  }
}

interface Call {
  input: unknown;
  browser: Browser;
  now: Date;
  requestId: string;
  signal: AbortSignal | undefined;
}

/**
 * Returns the operation as the caller may run it.
 *
 * @throws Refusal `operation_not_found`, or `unauthenticated` for one that needs a session.
 */
function operationFor(id: string, owner: Owner | null): (call: Call) => Promise<Entered<object>> {
  const entry = ENTRY_OPERATIONS.get(id);
  if (entry) return ({ input, browser, now }) => entry.run({ input: readInput(entry, input), browser, now });
  const operation = OPERATIONS.get(id) ?? PERSONAL_OPERATIONS.get(id);
  if (!operation) throw new Refusal("operation_not_found", "Unknown operation.");
  if (!owner) throw sessionEnded();
  return async ({ browser: { address }, signal, ...call }) => {
    if (!("scope" in operation)) return { data: await executePersonal(operation, { ...call, owner, address }) };
    const principal = { kind: "owner", personId: owner.personId } as const;
    return execute(operation, { ...call, signal, principal, session: owner });
  };
}

const browserOf = (request: Incoming): Browser => ({
  address: request.header(CALLER_HEADERS.address) || "unknown",
  isOnThisMachine: request.header(CALLER_HEADERS.local) === "1",
});

/** Counts per person, and visitors without a session per network. */
const countAction = (owner: Owner | null, { address }: Browser, now: Date): Promise<void> =>
  requireRate(
    `action:${owner ? owner.personId : hexDigest(countedAddress(address))}`,
    ACTIONS_PER_MINUTE,
    60_000,
    now,
    "Too many actions. Wait a minute, then try again.",
  );

const logFailure = (operationId: string, requestId: string) => (error: unknown) =>
  log.error({ request_id: requestId, ...describeError(error) }, `${operationId} failed after its answer`);
