import { detailsFromQuery } from "@/app/_dashboard/details-of";
import { answerAnonymous } from "../shared";

/** For the dialog with all values of a public dashboard's panel: a page of them, in the view that the address says. */
export const GET = (request: Request, { params }: { params: Promise<{ domain: string }> }): Promise<Response> =>
  answerAnonymous(request, params, detailsFromQuery);
