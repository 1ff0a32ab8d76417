import { answerOwner } from "@/app/_dashboard/answer";
import { chartFromQuery } from "@/app/_dashboard/chart-of";
import { queryAs } from "@/lib/gateway/execute";
import { principalOf } from "../../../access";

/** Headline numbers and chart of a view, for an open dashboard after a new event. */
export const GET = (request: Request, { params }: { params: Promise<{ siteId: string }> }): Promise<Response> =>
  answerOwner(params, (owner, siteId) =>
    chartFromQuery(
      { as: queryAs(principalOf(owner), request.signal), siteId, now: new Date() },
      new URL(request.url).searchParams,
    ),
  );
