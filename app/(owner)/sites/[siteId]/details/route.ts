import { answerOwner } from "@/app/_dashboard/answer";
import { detailsFromQuery } from "@/app/_dashboard/details-of";
import { queryAs } from "@/lib/gateway/execute";
import { principalOf } from "../../../access";

/** One page of all values of a panel, for its details dialog. */
export const GET = (request: Request, { params }: { params: Promise<{ siteId: string }> }): Promise<Response> =>
  answerOwner(params, (owner, siteId) =>
    detailsFromQuery(
      { as: queryAs(principalOf(owner), request.signal), siteId, now: new Date() },
      new URL(request.url).searchParams,
    ),
  );
