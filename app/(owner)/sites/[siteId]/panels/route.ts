import { panelsFromQuery } from "@/app/_dashboard/panels-of";
import { answerQuery } from "../answer-query";

/** Lists of a view, for a dashboard that already shows its numbers. */
export const GET = (request: Request, { params }: { params: Promise<{ siteId: string }> }): Promise<Response> =>
  answerQuery(request, params, panelsFromQuery);
