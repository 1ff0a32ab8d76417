import { chartFromQuery } from "@/app/_dashboard/chart-of";
import { answerAnonymous } from "../shared";

/** Headline numbers and chart of a view, for an open public dashboard after a new event. */
export const GET = (request: Request, { params }: { params: Promise<{ domain: string }> }): Promise<Response> =>
  answerAnonymous(request, params, chartFromQuery);
