import { askAs } from "@/lib/gateway/execute";
import { principalOf } from "../../../access";
import { answerOwner } from "../answer";
import { detailsAsked } from "./details-of";

/** For the dialog with all values of a panel: a page of them, in the view that the address says. */
export const GET = (request: Request, { params }: { params: Promise<{ siteId: string }> }): Promise<Response> =>
  answerOwner(params, (owner, siteId) =>
    detailsAsked({ as: askAs(principalOf(owner)), siteId, now: new Date() }, new URL(request.url).searchParams),
  );
