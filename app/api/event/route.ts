import { collect, preflight } from "@/lib/ingest/simple";
import { answer, requestIdOf } from "@/lib/gateway/respond";

/** The Events API, for when the fast lane does not answer first. */
export function POST(request: Request): Promise<Response> {
  return collect(request, { address: request.headers.get("x-footfall-client-ip"), now: new Date() });
}

export const OPTIONS = preflight;

function refuseMethod(request: Request): Response {
  const requestId = requestIdOf(request);
  const error = { code: "method_not_allowed", message: "Send events with POST." };
  return answer(405, { error, request_id: requestId }, requestId, { allow: "POST, OPTIONS" });
}
export { refuseMethod as GET, refuseMethod as PUT, refuseMethod as PATCH, refuseMethod as DELETE };
