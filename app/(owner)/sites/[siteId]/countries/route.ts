import { countriesFromQuery } from "@/app/_dashboard/details-of";
import { answerQuery } from "../answer-query";

/** All countries of a view, for the map. */
export const GET = (request: Request, { params }: { params: Promise<{ siteId: string }> }): Promise<Response> =>
  answerQuery(request, params, countriesFromQuery);
