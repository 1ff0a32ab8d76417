import { optionsFromQuery } from "@/app/_dashboard/options-of";
import { answerAnonymous } from "../shared";

/** Values of a field that contain a text, for the filter dialog of a public dashboard. */
export const GET = (request: Request, { params }: { params: Promise<{ domain: string }> }): Promise<Response> =>
  answerAnonymous(request, params, optionsFromQuery);
