import { Refusal } from "@/lib/platform/errors";
import { fromWeb, toWeb } from "@/lib/platform/http/http";
import { refuse, requestIdOf } from "@/lib/platform/http/respond";

/**
 * Route handler for unsupported methods: answers 405 with `Allow` (RFC 9110 section 15.5.6).
 *
 * @param allow the supported methods, such as `GET, HEAD`.
 */
export const refuseMethod =
  (allow: string) =>
  (request: Request): Response => {
    const refusal = new Refusal("method_not_allowed", `Call this address with ${allow.split(",", 1)[0]}.`);
    return toWeb(refuse(refusal, requestIdOf(fromWeb(request)), { headers: { allow } }));
  };
