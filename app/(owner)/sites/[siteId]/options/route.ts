import { answerOwner } from "@/app/_dashboard/answer";
import { optionsFromQuery } from "@/app/_dashboard/options-of";
import { queryAs } from "@/lib/gateway/execute";
import { principalOf } from "../../../access";

/** For the dialog of filters: the values of a field that contain what is typed. */
export const GET = (request: Request, { params }: { params: Promise<{ siteId: string }> }): Promise<Response> =>
  answerOwner(params, (owner, siteId) =>
    optionsFromQuery(
      { as: queryAs(principalOf(owner), request.signal), siteId, now: new Date() },
      new URL(request.url).searchParams,
    ),
  );
