import { fromWeb, toWeb } from "@/lib/gateway/http";
import { refuseMethod } from "@/lib/gateway/methods";
import { arrivalTime } from "@/lib/ingest/arrival-time";
import { collect, preflight } from "@/lib/ingest/simple";

/** The Events API, for when the fast lane does not answer first. */
export async function POST(request: Request): Promise<Response> {
  const caller = { address: request.headers.get("x-footfall-client-ip"), now: arrivalTime() };
  return toWeb(await collect(fromWeb(request), caller));
}

export const OPTIONS = () => toWeb(preflight());

const refused = refuseMethod("POST, OPTIONS");

export { refused as DELETE, refused as GET, refused as PATCH, refused as PUT };
