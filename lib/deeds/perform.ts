import { isCsrfToken, requireFresh } from "@/lib/auth/reauth";
import type { Owner } from "@/lib/auth/session-row";
import { invalidInput, Refusal } from "@/lib/contract/errors";
import { issuesOf } from "@/lib/contract/fields";
import { DEEDS } from "@/lib/deeds/index";
import { env } from "@/lib/env";
import type { Answer, Incoming } from "@/lib/gateway/http";
import { takeRate } from "@/lib/gateway/rate";
import { answer, notOurPage, readBody, refuse, requestIdOf } from "@/lib/gateway/respond";
import { parseJson } from "@/lib/json";
import { CALLER_HEADERS } from "@/lib/platform/http/caller";

const BODY_LIMIT_BYTES = 64 * 1024;
const DEEDS_PER_MINUTE = 120;

/**
 * `POST /deeds/<id>`: a signed-in person does something on one of our pages. A browser alone gets here: the cookie's
 * session, our own origin, and the token that only our page knows. A bearer token opens nothing.
 */
export async function perform(request: Incoming, deedId: string, owner: Owner | null, now: Date): Promise<Answer> {
  const requestId = requestIdOf(request);
  try {
    const deed = DEEDS.get(deedId);
    if (!deed) throw new Refusal("operation_not_found", "There is no such deed.");
    if (!owner) throw new Refusal("unauthenticated", "Sign in first.");
    requireOwnPage(request, owner);
    await countDeed(owner, now);
    const body = parseJson(await readBody(request, BODY_LIMIT_BYTES, ["application/json"]));
    const read = deed.input.safeParse(body, { reportInput: true });
    if (!read.success) throw invalidInput(issuesOf(read.error));
    if (deed.freshMs !== null) requireFresh(owner, deed.freshMs, now);
    const address = request.header(CALLER_HEADERS.address) || "unknown";
    const data = await deed.run({ input: read.data, owner, address, requestId, now });
    return answer(200, { data: data ?? {}, request_id: requestId }, requestId);
  } catch (error) {
    return refuse(error, requestId);
  }
}

/**
 * Browsers send `Origin` with every POST and tell by `Sec-Fetch-Site` whose page sent it; the token is the second wall,
 * for browsers that do neither.
 */
function requireOwnPage(request: Incoming, owner: Owner): void {
  const origin = request.header("origin");
  const site = request.header("sec-fetch-site");
  if (origin !== new URL(env().BASE_URL).origin || (site !== null && site !== "same-origin")) throw notOurPage();
  if (isCsrfToken(owner.sid, request.header("x-csrf-token"))) return;
  throw new Refusal("cross_site", "You signed in again since this page was opened. Reload it, then try again.");
}

async function countDeed(owner: Owner, now: Date): Promise<void> {
  const { allowed, retryAfter } = await takeRate(`deed:${owner.personId}`, DEEDS_PER_MINUTE, 60_000, now);
  if (!allowed) throw new Refusal("rate_limited", "That was too much at once. Wait a minute.", undefined, retryAfter);
}
