import { fromWeb, toWeb } from "@/lib/gateway/http";
import { refuseMethod } from "@/lib/gateway/methods";
import { arrivalTime } from "@/lib/ingest/arrival-time";
import { measure } from "@/lib/ingest/measurement";
import { CALLER_HEADERS } from "@/lib/platform/http/caller";

/** The Measurement Protocol, where no ingest worker answers first. */
export async function POST(request: Request): Promise<Response> {
  const caller = { address: request.headers.get(CALLER_HEADERS.address), now: arrivalTime() };
  return toWeb(await measure(fromWeb(request), caller));
}

const refused = refuseMethod("POST");

export { refused as DELETE, refused as GET, refused as OPTIONS, refused as PATCH, refused as PUT };
