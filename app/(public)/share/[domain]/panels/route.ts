import { panelsFromQuery } from "@/app/_dashboard/panels-of";
import { answerAnonymous } from "../shared";

/** For a public dashboard, once it shows the numbers of another view: its lists. */
export const GET = (request: Request, { params }: { params: Promise<{ domain: string }> }): Promise<Response> =>
  answerAnonymous(request, params, panelsFromQuery);
