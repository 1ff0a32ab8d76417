import { answerIngest } from "@/lib/ingest/api/answer-ingest";
import { refuseIngest } from "@/lib/ingest/api/refuse-ingest";
import type { IngestSurface } from "@/lib/ingest/api/requests";
import { arrivalTime } from "@/lib/ingest/store/arrival-time";
import { requireCallerAddress } from "@/lib/platform/http/caller";
import { fromWeb, toWeb } from "@/lib/platform/http/http";

/** Answers events in a route of Next. Under `npm start` the ingest worker answers before it. */
export async function postEvents(surface: IngestSurface, request: Request): Promise<Response> {
  const incoming = fromWeb(request);
  try {
    const caller = { address: requireCallerAddress(incoming), now: arrivalTime() };
    return toWeb(await answerIngest(surface, incoming, caller));
  } catch (error) {
    return toWeb(refuseIngest(error, surface, incoming));
  }
}
