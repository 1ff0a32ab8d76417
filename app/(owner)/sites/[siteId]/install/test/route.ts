import { answerOwner } from "@/app/_dashboard/answer";
import { ask } from "@/app/(owner)/access";
import sitesInstallation from "@/lib/operations/sites.installation";

/** Latest installation test of a site. Polled every second while a test runs. */
export const GET = (_: Request, { params }: { params: Promise<{ siteId: string }> }): Promise<Response> =>
  answerOwner(params, async (owner, siteId) => ({
    test: (await ask(sitesInstallation, owner, { site_id: siteId })).latest_test,
  }));
