import sitesActivity from "@/lib/operations/sites.activity";
import { answerQuery } from "../answer-query";

/** Time of the last event, current visitors and recent refusals. Polled by the owner's open pages. */
export const GET = (request: Request, { params }: { params: Promise<{ siteId: string }> }): Promise<Response> =>
  answerQuery(request, params, async ({ as, siteId, now }) => {
    return (await as(sitesActivity, { input: { site_id: siteId }, now })).data;
  });
