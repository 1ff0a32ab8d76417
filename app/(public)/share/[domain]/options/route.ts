import { optionsFromQuery } from "@/app/_dashboard/options-of";
import { answerAnonymous } from "../shared";

/** For the dialog of filters of a public dashboard: the values of a field that contain what is typed. */
export const GET = (request: Request, { params }: { params: Promise<{ domain: string }> }): Promise<Response> =>
  answerAnonymous(request, params, optionsFromQuery);
