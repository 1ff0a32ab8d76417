import { detailsFromQuery } from "@/app/_dashboard/details-of";
import { answerAnonymous } from "../shared";

/** One page of all values of a panel, for the details dialog of a public dashboard. */
export const GET = (request: Request, { params }: { params: Promise<{ domain: string }> }): Promise<Response> =>
  answerAnonymous(request, params, detailsFromQuery);
