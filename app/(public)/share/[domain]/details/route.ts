import { detailsAsked } from "@/app/(owner)/sites/[siteId]/details/details-of";
import { answerAnyone, askShared } from "../shared";

/** For the dialog with all values of a public dashboard's panel: a page of them, in the view that the address says. */
export const GET = (request: Request, { params }: { params: Promise<{ domain: string }> }): Promise<Response> =>
  answerAnyone(params, ({ site_id }) =>
    detailsAsked({ as: askShared, siteId: site_id, now: new Date() }, new URL(request.url).searchParams),
  );
