import { answerOwner } from "@/app/_dashboard/answer";
import sitesActivity from "@/lib/operations/sites.activity";
import { query } from "../../../access";

/** Time of the last event, current visitors and recent refusals. Polled by the owner's open pages. */
export const GET = (_: Request, { params }: { params: Promise<{ siteId: string }> }): Promise<Response> =>
  answerOwner(params, (owner, siteId) => query(sitesActivity, owner, { site_id: siteId }));
