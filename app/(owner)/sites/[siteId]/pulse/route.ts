import { answerOwner } from "@/app/_dashboard/answer";
import { pulse } from "@/lib/sites/last-event";
import { principalOf } from "../../../access";

/** For the owner's own pages, which ask every second or so: when the last event came, and what was refused. */
export const GET = (_: Request, { params }: { params: Promise<{ siteId: string }> }): Promise<Response> =>
  answerOwner(params, (owner, siteId) => pulse(principalOf(owner), siteId));
