import { chartFromQuery } from "@/app/_dashboard/chart-of";
import { answerAnonymous } from "../shared";

/** For an open public dashboard, after a new event: the headline numbers and the chart of its view. */
export const GET = (request: Request, { params }: { params: Promise<{ domain: string }> }): Promise<Response> =>
  answerAnonymous(request, params, chartFromQuery);
