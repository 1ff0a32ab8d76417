import { answerOwner } from "@/app/_dashboard/answer";
import { pulse } from "@/lib/sites/last-event";
import { principalOf } from "../../../access";

/** Time of the last event and recent refusals. Polled about every second by the owner's pages. */
export const GET = (_: Request, { params }: { params: Promise<{ siteId: string }> }): Promise<Response> =>
  answerOwner(params, (owner, siteId) => pulse(principalOf(owner), siteId));
