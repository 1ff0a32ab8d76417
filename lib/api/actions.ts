import { isCsrfToken } from "@/lib/auth/reauth";
import { sessionEnded } from "@/lib/auth/session-ended";
import type { AnyOperation, AnyPersonalOperation, Owner } from "@/lib/contract/define";
import { type Call, execute } from "@/lib/gateway/execute";
import { executePersonal } from "@/lib/gateway/execute-personal";
import { OPERATIONS } from "@/lib/operations/index";
import { PERSONAL_OPERATIONS } from "@/lib/operations/personal/index";
import { env } from "@/lib/platform/env";
import { Refusal } from "@/lib/platform/errors";
import { CALLER_HEADERS } from "@/lib/platform/http/caller";
import type { Answer, Incoming } from "@/lib/platform/http/http";
import { answer, notOurPage, readBody, refuse, requestIdOf } from "@/lib/platform/http/respond";
import { parseJson } from "@/lib/platform/json";
import { requireRate } from "@/lib/platform/rate";

const BODY_LIMIT_BYTES = 64 * 1024;
const ACTIONS_PER_MINUTE = 120;

/**
 * `POST /actions/<operationId>`: runs an operation for a signed-in person on the dashboard. Requires the session
 * cookie, a same-origin request and the CSRF token. Bearer tokens are ignored.
 */
export async function act(
  request: Incoming,
  operationId: string,
  session: Owner | null | Promise<Owner | null>,
  now: Date,
): Promise<Answer> {
  const requestId = requestIdOf(request);
  try {
    const owner = await session;
    const operation = OPERATIONS.get(operationId) ?? PERSONAL_OPERATIONS.get(operationId);
    if (!operation) throw new Refusal("operation_not_found", "Unknown operation.");
    if (!owner) throw sessionEnded();
    requireOwnPage(request, owner);
    await countAction(owner, now);
    const input = parseJson(await readBody(request, BODY_LIMIT_BYTES, ["application/json"]));
    const address = request.header(CALLER_HEADERS.address) || "unknown";
    const data = await (isPersonal(operation)
      ? executePersonal(operation, { input, owner, address, requestId, now })
      : executeAs(owner, operation, { input, now, requestId, signal: request.signal }));
    return answer(200, { data, request_id: requestId }, requestId);
  } catch (error) {
    return refuse(error, requestId);
  }
}

const isPersonal = (operation: AnyOperation | AnyPersonalOperation): operation is AnyPersonalOperation =>
  PERSONAL_OPERATIONS.has(operation.id);

async function executeAs(owner: Owner, operation: AnyOperation, call: Omit<Call, "principal" | "session">) {
  const principal = { kind: "owner", personId: owner.personId } as const;
  const { data } = await execute(operation, { ...call, principal, session: owner });
  return data;
}

/**
 * Checks `Origin` and `Sec-Fetch-Site`, and the CSRF token for browsers that send neither.
 */
function requireOwnPage(request: Incoming, owner: Owner): void {
  const origin = request.header("origin");
  const site = request.header("sec-fetch-site");
  if (origin !== new URL(env().BASE_URL).origin || (site !== null && site !== "same-origin")) throw notOurPage();
  if (isCsrfToken(owner.sid, request.header("x-csrf-token"))) return;
  throw new Refusal("cross_site", "You signed in again since this page was opened. Reload it, then try again.");
}

const countAction = ({ personId }: Owner, now: Date): Promise<void> =>
  requireRate(
    `action:${personId}`,
    ACTIONS_PER_MINUTE,
    60_000,
    now,
    "Too many actions. Wait a minute, then try again.",
  );
