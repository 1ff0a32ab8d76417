import { answerOwner } from "@/app/_dashboard/answer";
import { panelsFromQuery } from "@/app/_dashboard/panels-of";
import { queryAs } from "@/lib/gateway/execute";
import { principalOf } from "../../../access";

/** Lists of a view, for a dashboard that already shows its numbers. */
export const GET = (request: Request, { params }: { params: Promise<{ siteId: string }> }): Promise<Response> =>
  answerOwner(params, (owner, siteId) =>
    panelsFromQuery(
      { as: queryAs(principalOf(owner), request.signal), siteId, now: new Date(), goals: true },
      new URL(request.url).searchParams,
    ),
  );
