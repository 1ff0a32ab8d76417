import { panelsFromQuery } from "@/app/_dashboard/panels-of";
import { answerAnonymous } from "../shared";

/** Lists of a view, for a public dashboard that already shows its numbers. */
export const GET = (request: Request, { params }: { params: Promise<{ domain: string }> }): Promise<Response> =>
  answerAnonymous(request, params, panelsFromQuery);
