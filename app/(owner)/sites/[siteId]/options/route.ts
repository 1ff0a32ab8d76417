import { optionsFromQuery } from "@/app/_dashboard/options-of";
import { answerQuery } from "../answer-query";

/** Values of a field that contain a text, for the filter dialog. */
export const GET = (request: Request, { params }: { params: Promise<{ siteId: string }> }): Promise<Response> =>
  answerQuery(request, params, optionsFromQuery);
