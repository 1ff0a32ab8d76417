import { answerOwner } from "@/app/_dashboard/answer";
import { chartFromQuery } from "@/app/_dashboard/chart-of";
import { queryAs } from "@/lib/gateway/execute";
import { principalOf } from "../../../access";

/** For the open dashboard, after a new event: the headline numbers and the chart of its view. */
export const GET = (request: Request, { params }: { params: Promise<{ siteId: string }> }): Promise<Response> =>
  answerOwner(params, (owner, siteId) =>
    chartFromQuery(
      { as: queryAs(principalOf(owner), request.signal), siteId, now: new Date() },
      new URL(request.url).searchParams,
    ),
  );
