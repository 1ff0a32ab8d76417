import { answerJson, ownerOfRequest } from "@/app/_dashboard/answer";
import { LONGEST_SEARCH } from "@/lib/contract/fields";
import sitesList from "@/lib/operations/sites.list";
import { ask } from "../../access";
import { linkOf } from "./link";

const MAX_RESULTS = 20;

/** Searches the owner's sites by name and domain (`?q=`), for the site menu. */
export async function GET(request: Request): Promise<Response> {
  const search = (new URL(request.url).searchParams.get("q") ?? "").slice(0, LONGEST_SEARCH);
  return answerJson(async () => {
    const { sites } = await ask(sitesList, await ownerOfRequest(), { search, per_page: MAX_RESULTS });
    return { sites: sites.map(linkOf) };
  });
}
