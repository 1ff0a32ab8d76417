import { answerOwner } from "@/app/_dashboard/answer";
import type { QueryContext } from "@/app/_dashboard/queries";
import { queryAs } from "@/lib/gateway/execute";
import { principalOf } from "../../access";

/** Responds with JSON to a background request of the owner's dashboard. */
export const answerQuery = (
  request: Request,
  params: Promise<{ siteId: string }>,
  handler: (context: QueryContext, searchParams: URLSearchParams) => Promise<object>,
): Promise<Response> =>
  answerOwner(params, (owner, siteId) =>
    handler(
      { as: queryAs(principalOf(owner), request.signal), siteId, now: new Date(), goals: true },
      new URL(request.url).searchParams,
    ),
  );
