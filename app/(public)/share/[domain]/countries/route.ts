import { countriesAsked } from "@/app/_dashboard/details-of";
import { answerAnyone } from "../shared";

/** For the map of a public dashboard: all countries in the view that the address says. */
export const GET = (request: Request, { params }: { params: Promise<{ domain: string }> }): Promise<Response> =>
  answerAnyone(request, params, countriesAsked);
