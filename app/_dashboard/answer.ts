import { currentOwner } from "@/lib/auth/session";
import type { Owner } from "@/lib/contract/define";
import { LARGEST_ID } from "@/lib/gateway/changes/site-revision";
import { Refusal } from "@/lib/platform/errors";

const headers = { "Cache-Control": "no-store" };

/** Runs `work` for the signed-in owner and responds with JSON; 401 without a session. */
export async function answerOwner(
  params: Promise<{ siteId: string }>,
  work: (owner: Owner, siteId: number) => Promise<object>,
): Promise<Response> {
  const owner = await currentOwner();
  if (!owner) return unauthenticated();
  const siteId = Number((await params).siteId);
  return answer(async () => {
    if (!Number.isSafeInteger(siteId) || siteId < 1 || siteId > LARGEST_ID) {
      throw new Refusal("site_not_granted", "There is no such site.");
    }
    return work(owner, siteId);
  });
}

export const unauthenticated = (): Response =>
  Response.json({ error: { code: "unauthenticated" } }, { status: 401, headers });

/** Responds with the result of `work` as JSON, or with the error of a thrown Refusal. */
export async function answer(work: () => Promise<object>): Promise<Response> {
  try {
    return Response.json(await work(), { headers });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message, status, retryAfter } = error;
    const retry: Record<string, string> = retryAfter ? { "Retry-After": `${retryAfter}` } : {};
    return Response.json({ error: { code, message } }, { status, headers: { ...headers, ...retry } });
  }
}
