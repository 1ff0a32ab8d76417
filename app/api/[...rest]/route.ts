import { Refusal } from "@/lib/platform/errors";
import { fromWeb, toWeb } from "@/lib/platform/http/http";
import { refuse, requestIdOf } from "@/lib/platform/http/respond";

/** Every other address below /api: an agent reads the same kind of refusal there as anywhere else. */
function nothingHere(request: Request): Response {
  const refusal = new Refusal(
    "operation_not_found",
    "There is nothing at this address; /openapi.json lists what there is.",
  );
  return toWeb(refuse(refusal, requestIdOf(fromWeb(request))));
}

export {
  nothingHere as DELETE,
  nothingHere as GET,
  nothingHere as HEAD,
  nothingHere as OPTIONS,
  nothingHere as PATCH,
  nothingHere as POST,
  nothingHere as PUT,
};
