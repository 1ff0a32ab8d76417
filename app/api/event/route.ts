import { CORS, preflight } from "@/lib/ingest/api/requests";
import { collect } from "@/lib/ingest/api/simple";
import { arrivalTime } from "@/lib/ingest/store/arrival-time";
import { requireCallerAddress } from "@/lib/platform/http/caller";
import { fromWeb, toWeb } from "@/lib/platform/http/http";
import { refuseMethod } from "@/lib/platform/http/methods";
import { refuse, requestIdOf } from "@/lib/platform/http/respond";

/** Events API. Under `npm start` the ingest worker answers before this route. */
export async function POST(request: Request): Promise<Response> {
  const incoming = fromWeb(request);
  try {
    return toWeb(await collect(incoming, { address: requireCallerAddress(incoming), now: arrivalTime() }));
  } catch (error) {
    return toWeb(refuse(error, requestIdOf(incoming), { headers: CORS }));
  }
}

export const OPTIONS = () => toWeb(preflight());

const refused = refuseMethod("POST, OPTIONS");

export { refused as DELETE, refused as GET, refused as PATCH, refused as PUT };
