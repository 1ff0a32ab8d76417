import { panelsAsked } from "@/app/_dashboard/panels-of";
import { answerAnyone } from "../shared";

/** For a public dashboard, once it shows the numbers of another view: its lists. */
export const GET = (request: Request, { params }: { params: Promise<{ domain: string }> }): Promise<Response> =>
  answerAnyone(request, params, panelsAsked);
