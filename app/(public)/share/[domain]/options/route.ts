import { optionsAsked } from "@/app/(owner)/sites/[siteId]/options/options-of";
import { answerAnyone, askShared } from "../shared";

/** For the dialog of filters of a public dashboard: the values of a field that contain what is typed. */
export const GET = (request: Request, { params }: { params: Promise<{ domain: string }> }): Promise<Response> =>
  answerAnyone(params, ({ site_id }) =>
    optionsAsked({ as: askShared, siteId: site_id, now: new Date() }, new URL(request.url).searchParams),
  );
