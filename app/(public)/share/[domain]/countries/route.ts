import { countriesFromQuery } from "@/app/_dashboard/details-of";
import { answerAnonymous } from "../shared";

/** All countries of a view, for the map of a public dashboard. */
export const GET = (request: Request, { params }: { params: Promise<{ domain: string }> }): Promise<Response> =>
  answerAnonymous(request, params, countriesFromQuery);
