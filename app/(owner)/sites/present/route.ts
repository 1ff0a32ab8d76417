import { answerJson, ownerOfRequest } from "@/app/_dashboard/answer";
import { db } from "@/lib/platform/db";
import { ownSitesOf } from "@/lib/sites/site-list";
import { presentOf } from "../numbers";

const MAX_SITES = 100;

/** Current visitors per site for the ids in `?sites=1,2`. Sites of other owners are omitted. */
export async function GET(request: Request): Promise<Response> {
  const list = new URL(request.url).searchParams.get("sites") ?? "";
  const ids = list.split(",", MAX_SITES).filter((id) => /^[1-9]\d{0,8}$/.test(id));
  return answerJson(async () => {
    const owner = await ownerOfRequest();
    const own = await ownSitesOf(db(), owner.personId, ids.map(Number));
    return { present: Object.fromEntries(await presentOf(owner, own, new Date())) };
  });
}
