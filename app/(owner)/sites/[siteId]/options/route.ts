import { answerOwner } from "@/app/_dashboard/answer";
import { optionsFromQuery } from "@/app/_dashboard/options-of";
import { queryAs } from "@/lib/gateway/execute";
import { principalOf } from "../../../access";

/** Values of a field that contain a text, for the filter dialog. */
export const GET = (request: Request, { params }: { params: Promise<{ siteId: string }> }): Promise<Response> =>
  answerOwner(params, (owner, siteId) =>
    optionsFromQuery(
      { as: queryAs(principalOf(owner), request.signal), siteId, now: new Date() },
      new URL(request.url).searchParams,
    ),
  );
