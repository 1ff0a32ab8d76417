import { countriesFromQuery } from "@/app/_dashboard/details-of";
import { answerAnonymous } from "../shared";

/** For the map of a public dashboard: all countries in the view that the address says. */
export const GET = (request: Request, { params }: { params: Promise<{ domain: string }> }): Promise<Response> =>
  answerAnonymous(request, params, countriesFromQuery);
