import sitesInstallation from "@/lib/operations/sites.installation";
import { answerQuery } from "../../answer-query";

/** Latest installation test of a site. Polled every second while a test runs. */
export const GET = (request: Request, { params }: { params: Promise<{ siteId: string }> }): Promise<Response> =>
  answerQuery(request, params, async ({ as, siteId, now }) => {
    return { test: (await as(sitesInstallation, { input: { site_id: siteId }, now })).data.latest_test };
  });
