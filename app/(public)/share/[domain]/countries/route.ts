import { countriesAsked } from "@/app/(owner)/sites/[siteId]/details/details-of";
import { answerAnyone, askShared } from "../shared";

/** For the map of a public dashboard: all countries in the view that the address says. */
export const GET = (request: Request, { params }: { params: Promise<{ domain: string }> }): Promise<Response> =>
  answerAnyone(params, ({ site_id }) =>
    countriesAsked({ as: askShared, siteId: site_id, now: new Date() }, new URL(request.url).searchParams),
  );
