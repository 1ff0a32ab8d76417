import { fromWeb, toWeb } from "@/lib/gateway/http";
import { answer, requestIdOf } from "@/lib/gateway/respond";
import { collect, preflight } from "@/lib/ingest/simple";

/** The Events API, for when the fast lane does not answer first. */
export async function POST(request: Request): Promise<Response> {
  const caller = { address: request.headers.get("x-footfall-client-ip"), now: new Date() };
  return toWeb(await collect(fromWeb(request), caller));
}

export const OPTIONS = () => toWeb(preflight());

function refuseMethod(request: Request): Response {
  const requestId = requestIdOf(fromWeb(request));
  const error = { code: "method_not_allowed", message: "Send events with POST." };
  return toWeb(answer(405, { error, request_id: requestId }, requestId, { allow: "POST, OPTIONS" }));
}

export { refuseMethod as DELETE, refuseMethod as GET, refuseMethod as PATCH, refuseMethod as PUT };
