import { chartFromQuery } from "@/app/_dashboard/chart-of";
import { answerQuery } from "../answer-query";

/** Headline numbers and chart of a view, for an open dashboard after a new event. */
export const GET = (request: Request, { params }: { params: Promise<{ siteId: string }> }): Promise<Response> =>
  answerQuery(request, params, chartFromQuery);
