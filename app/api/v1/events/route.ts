import { fromWeb, toWeb } from "@/lib/gateway/http";
import { refuseMethod } from "@/lib/gateway/methods";
import { arrivalTime } from "@/lib/ingest/arrival-time";
import { measure } from "@/lib/ingest/measurement";
import { CLAIMED_IP } from "@/lib/server/headers";

/** The Measurement Protocol, for when the fast lane does not answer first. */
export async function POST(request: Request): Promise<Response> {
  const incoming = fromWeb(request);
  // Within the server X-Footfall-Client-IP is the caller's own address; what the caller passed on has another name.
  const header = (name: string) => incoming.header(name === "x-footfall-client-ip" ? CLAIMED_IP : name);
  const caller = { address: incoming.header("x-footfall-client-ip"), now: arrivalTime() };
  return toWeb(await measure({ ...incoming, header }, caller));
}

const refused = refuseMethod("POST");

export { refused as DELETE, refused as GET, refused as OPTIONS, refused as PATCH, refused as PUT };
