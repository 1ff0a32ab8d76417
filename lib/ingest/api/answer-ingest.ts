import { measure } from "@/lib/ingest/api/measurement";
import type { Caller, PathCaller } from "@/lib/ingest/api/page-events";
import { type IngestSurface, pathOfSurface, refuseIngest } from "@/lib/ingest/api/requests";
import { collectSegment } from "@/lib/ingest/api/segment";
import { collect } from "@/lib/ingest/api/simple";
import { collectUmami, collectUmamiBatch } from "@/lib/ingest/api/umami";
import { arrivalTime } from "@/lib/ingest/store/arrival-time";
import { requireCallerAddress } from "@/lib/platform/http/caller";
import { type Answer, fromWeb, type Incoming, toWeb } from "@/lib/platform/http/http";

/** The answers of every API that takes events. */

const HANDLERS: Record<IngestSurface, (request: Incoming, caller: PathCaller) => Promise<Answer>> = {
  event: collect,
  batch: measure,
  umami: collectUmami,
  umami_batch: collectUmamiBatch,
  segment_batch: (request, caller) => collectSegment(null, request, caller),
  segment_track: (request, caller) => collectSegment("track", request, caller),
  segment_page: (request, caller) => collectSegment("page", request, caller),
  segment_screen: (request, caller) => collectSegment("screen", request, caller),
  segment_identify: (request, caller) => collectSegment("identify", request, caller),
  segment_alias: (request, caller) => collectSegment("alias", request, caller),
  segment_group: (request, caller) => collectSegment("group", request, caller),
};

export const answerIngest = (surface: IngestSurface, request: Incoming, caller: Caller): Promise<Answer> =>
  HANDLERS[surface](request, { ...caller, path: pathOfSurface(surface) });

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
