import { answer, requireOwner } from "@/app/_dashboard/answer";
import { db } from "@/lib/platform/db";
import { listSites } from "@/lib/sites/access";
import { principalOf } from "../../access";
import { linkOf } from "./link";

const MAX_RESULTS = 20;

/** Searches the owner's sites by name and domain (`?q=`), for the site menu. */
export async function GET(request: Request): Promise<Response> {
  const search = new URL(request.url).searchParams.get("q") ?? "";
  return answer(async () => {
    const owner = await requireOwner();
    const { sites } = await listSites(db(), principalOf(owner), 1, MAX_RESULTS, search);
    return { sites: sites.map(linkOf) };
  });
}
