import { currentOwner, type Owner } from "@/lib/auth/session";
import { Refusal } from "@/lib/contract/errors";

/** Answers what the owner's own pages ask for in the background, in JSON; anybody else, and what cannot be, is refused. */
export async function answerOwner(
  params: Promise<{ siteId: string }>,
  work: (owner: Owner, siteId: number) => Promise<object>,
): Promise<Response> {
  const headers = { "Cache-Control": "no-store" };
  const owner = await currentOwner();
  if (!owner) return Response.json({ error: { code: "unauthenticated" } }, { status: 401, headers });
  const siteId = Number((await params).siteId);
  try {
    if (!Number.isSafeInteger(siteId) || siteId < 1 || siteId > 2 ** 31 - 1) {
      throw new Refusal("site_not_granted", "There is no such site.");
    }
    return Response.json(await work(owner, siteId), { headers });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return Response.json({ error: { code: error.code, message: error.message } }, { status: error.status, headers });
  }
}
