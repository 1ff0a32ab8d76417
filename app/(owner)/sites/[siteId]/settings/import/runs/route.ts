import { answerOwner } from "@/app/_dashboard/answer";
import { ask } from "@/app/(owner)/access";
import sitesImportsList from "@/lib/operations/sites.imports.list";

/** The latest imports of a site. Polled every second while files are read. */
export const GET = (_: Request, { params }: { params: Promise<{ siteId: string }> }): Promise<Response> =>
  answerOwner(params, async (owner, siteId) => ({
    runs: (await ask(sitesImportsList, owner, { site_id: siteId })).runs,
  }));
