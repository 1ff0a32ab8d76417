import { answerOwner } from "@/app/_dashboard/answer";
import { pulse } from "@/lib/sites/last-event";
import { principalOf } from "../../../access";

/** Time of the last event and recent refusals. Polled by the owner's open pages. */
export const GET = (_: Request, { params }: { params: Promise<{ siteId: string }> }): Promise<Response> =>
  answerOwner(params, (owner, siteId) => pulse(principalOf(owner), siteId));
