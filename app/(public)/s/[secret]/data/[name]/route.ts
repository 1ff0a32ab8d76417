import { answerJson } from "@/app/_dashboard/answer";
import { queryNamed } from "@/app/_dashboard/queries-by-name";
import { linkOfRequest, paramsOfLink, queryOfLink } from "@/app/(public)/_shared/links";
import { addressOfCaller, sharedLastEvent } from "@/app/(public)/_shared/public";
import { filtersOfQuery, paramsOf } from "@/components/reports/filters";
import { addressOf as addressWith } from "@/components/reports/view";
import type { RunQuery } from "@/lib/gateway/execute";
import { Refusal } from "@/lib/platform/errors";
import { showsLive } from "@/lib/sites/share-limits";
import { t } from "@/lib/texts/translate";

interface Context {
  params: Promise<{ secret: string; name: string }>;
}

/** Responds to the background requests of an open page of a private link. */
export const GET = (request: Request, { params }: Context): Promise<Response> =>
  answerJson(async () => {
    const { secret, name } = await params;
    const opened = await linkOfRequest(secret, request);
    const { siteId, limits } = opened.link;
    const ip = addressOfCaller(request);
    if (name === "last-event") {
      if (showsLive(limits)) return sharedLastEvent(siteId, ip);
      throw new Refusal("insufficient_scope", t("This link does not show who visits the site now."));
    }
    const asked = paramsOfLink(limits, paramsOf(new URL(request.url).searchParams));
    const query = queryOfLink(opened, { ip, filters: filtersOfQuery(asked) });
    const as: RunQuery = (op, call) => query(op, { ...call, signal: request.signal });
    const { searchParams } = new URL(addressWith("/", asked), "http://localhost");
    return queryNamed(name)({ as, siteId, now: new Date(), revenue: limits.revenue }, searchParams);
  });
