import { askAs } from "@/lib/gateway/execute";
import { principalOf } from "../../../access";
import { answerOwner } from "../answer";
import { countriesAsked } from "../details/details-of";

/** For the map: all countries in the view that the address says. */
export const GET = (request: Request, { params }: { params: Promise<{ siteId: string }> }): Promise<Response> =>
  answerOwner(params, (owner, siteId) =>
    countriesAsked({ as: askAs(principalOf(owner)), siteId, now: new Date() }, new URL(request.url).searchParams),
  );
