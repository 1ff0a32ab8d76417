import { detailsFromQuery } from "@/app/_dashboard/details-of";
import { answerQuery } from "../answer-query";

/** One page of all values of a panel, for its details dialog. */
export const GET = (request: Request, { params }: { params: Promise<{ siteId: string }> }): Promise<Response> =>
  answerQuery(request, params, detailsFromQuery);
