import { currentOwner } from "@/lib/auth/session";
import { Refusal } from "@/lib/contract/errors";
import { pulse } from "@/lib/sites/pulse";

/** For the owner's own pages, which ask every second or so: when the last event came, and what was refused. */
export async function GET(_: Request, { params }: { params: Promise<{ siteId: string }> }): Promise<Response> {
  const headers = { "Cache-Control": "no-store" };
  const owner = await currentOwner();
  if (!owner) return Response.json({ error: { code: "unauthenticated" } }, { status: 401, headers });
  const siteId = Number((await params).siteId);
  try {
    if (!Number.isSafeInteger(siteId) || siteId < 1 || siteId > 2 ** 31 - 1) {
      throw new Refusal("site_not_granted", "There is no such site.");
    }
    return Response.json(await pulse({ kind: "owner", personId: owner.personId }, siteId), { headers });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return Response.json({ error: { code: error.code, message: error.message } }, { status: error.status, headers });
  }
}
