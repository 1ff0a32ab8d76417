import { answerOwner } from "@/app/_dashboard/answer";
import { countriesFromQuery } from "@/app/_dashboard/details-of";
import { queryAs } from "@/lib/gateway/execute";
import { principalOf } from "../../../access";

/** All countries of a view, for the map. */
export const GET = (request: Request, { params }: { params: Promise<{ siteId: string }> }): Promise<Response> =>
  answerOwner(params, (owner, siteId) =>
    countriesFromQuery(
      { as: queryAs(principalOf(owner), request.signal), siteId, now: new Date() },
      new URL(request.url).searchParams,
    ),
  );
