import { answer, requireOwner } from "@/app/_dashboard/answer";
import sitesList from "@/lib/operations/sites.list";
import { query } from "../../access";
import { linkOf } from "./link";

const MAX_RESULTS = 20;

/** Searches the owner's sites by name and domain (`?q=`), for the site menu. */
export async function GET(request: Request): Promise<Response> {
  const search = new URL(request.url).searchParams.get("q") ?? "";
  return answer(async () => {
    const { sites } = await query(sitesList, await requireOwner(), { search, per_page: MAX_RESULTS });
    return { sites: sites.map(linkOf) };
  });
}
