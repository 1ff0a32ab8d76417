import { measure } from "@/lib/ingest/api/measurement";
import { arrivalTime } from "@/lib/ingest/store/arrival-time";
import { requireCallerAddress } from "@/lib/platform/http/caller";
import { fromWeb, toWeb } from "@/lib/platform/http/http";
import { refuseMethod } from "@/lib/platform/http/methods";
import { refuse, requestIdOf } from "@/lib/platform/http/respond";

/** Measurement Protocol. Under `npm start` the ingest worker answers before this route. */
export async function POST(request: Request): Promise<Response> {
  const incoming = fromWeb(request);
  try {
    return toWeb(await measure(incoming, { address: requireCallerAddress(incoming), now: arrivalTime() }));
  } catch (error) {
    return toWeb(refuse(error, requestIdOf(incoming)));
  }
}

const refused = refuseMethod("POST");

export { refused as DELETE, refused as GET, refused as OPTIONS, refused as PATCH, refused as PUT };
