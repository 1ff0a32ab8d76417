import { answer, unauthenticated } from "@/app/_dashboard/answer";
import { currentOwner } from "@/lib/auth/session";
import { db } from "@/lib/platform/db";
import { listSites } from "@/lib/sites/access";
import { principalOf } from "../../access";
import { linkOf } from "./link";

const MOST_FOUND = 20;

/** For menus of people with many sites: those with the words `q` in their name or domains. */
export async function GET(request: Request): Promise<Response> {
  const owner = await currentOwner();
  if (!owner) return unauthenticated();
  const search = new URL(request.url).searchParams.get("q") ?? "";
  return answer(async () => {
    const { sites } = await listSites(db(), principalOf(owner), 1, MOST_FOUND, search);
    return { sites: sites.map(linkOf) };
  });
}
