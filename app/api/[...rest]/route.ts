import { Refusal } from "@/lib/platform/errors";
import { fromWeb, toWeb } from "@/lib/platform/http/http";
import { refuse, requestIdOf } from "@/lib/platform/http/respond";

/** Answers all unknown paths below /api with an error in the same format as the API. */
function route(request: Request): Response {
  const refusal = new Refusal(
    "operation_not_found",
    "There is no endpoint at this path; see /openapi.json for all endpoints.",
  );
  return toWeb(refuse(refusal, requestIdOf(fromWeb(request))));
}

export { route as DELETE, route as GET, route as HEAD, route as OPTIONS, route as PATCH, route as POST, route as PUT };
