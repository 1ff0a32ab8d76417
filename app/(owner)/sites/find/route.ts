import { answer, unauthenticated } from "@/app/_dashboard/answer";
import { currentOwner } from "@/lib/auth/session";
import { db } from "@/lib/platform/db";
import { listSites } from "@/lib/sites/access";
import { principalOf } from "../../access";
import { linkOf } from "./link";

const MAX_RESULTS = 20;

/** Searches the owner's sites by name and domain (`?q=`), for the site menu. */
export async function GET(request: Request): Promise<Response> {
  const owner = await currentOwner();
  if (!owner) return unauthenticated();
  const search = new URL(request.url).searchParams.get("q") ?? "";
  return answer(async () => {
    const { sites } = await listSites(db(), principalOf(owner), 1, MAX_RESULTS, search);
    return { sites: sites.map(linkOf) };
  });
}
