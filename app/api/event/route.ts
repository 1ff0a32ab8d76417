import { fromWeb, toWeb } from "@/lib/gateway/http";
import { refuseMethod } from "@/lib/gateway/methods";
import { arrivalTime } from "@/lib/ingest/arrival-time";
import { preflight } from "@/lib/ingest/preflight";
import { collect } from "@/lib/ingest/simple";
import { CALLER_HEADERS } from "@/lib/platform/http/caller";

/** The Events API, where no ingest worker answers first. */
export async function POST(request: Request): Promise<Response> {
  const caller = { address: request.headers.get(CALLER_HEADERS.address), now: arrivalTime() };
  return toWeb(await collect(fromWeb(request), caller));
}

export const OPTIONS = () => toWeb(preflight());

const refused = refuseMethod("POST, OPTIONS");

export { refused as DELETE, refused as GET, refused as PATCH, refused as PUT };
