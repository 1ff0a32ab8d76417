import { answerJson } from "@/app/_dashboard/answer";
import { queryNamed } from "@/app/_dashboard/queries-by-name";
import { addressOfCaller, queryOfPublic, sharedLastEvent, siteOf } from "@/app/(public)/_shared/public";
import { filtersOfQuery, paramsOf } from "@/components/reports/filters";
import type { RunQuery } from "@/lib/gateway/execute";

interface Context {
  params: Promise<{ domain: string; name: string }>;
}

/** Responds to the background requests of an open public dashboard. */
export const GET = (request: Request, { params }: Context): Promise<Response> =>
  answerJson(async () => {
    const { site_id: siteId, revenue } = await siteOf(params);
    const { name } = await params;
    // Current visitors and time of the last event.
    if (name === "last-event") return sharedLastEvent(siteId, addressOfCaller(request));
    const { searchParams } = new URL(request.url);
    const query = queryOfPublic({ ip: addressOfCaller(request), filters: filtersOfQuery(paramsOf(searchParams)) });
    const as: RunQuery = (op, call) => query(op, { ...call, signal: request.signal });
    return queryNamed(name)({ as, siteId, now: new Date(), revenue }, searchParams);
  });
