import { Refusal } from "@/lib/contract/errors";
import { fromWeb, toWeb } from "@/lib/gateway/http";
import { refuse, requestIdOf } from "@/lib/gateway/respond";

/**
 * What a route exports under the methods it does not take: 405 with `Allow` (RFC 9110 section 15.5.6).
 *
 * @param allow the methods it takes, such as `GET, HEAD`.
 */
export const refuseMethod =
  (allow: string) =>
  (request: Request): Response => {
    const refusal = new Refusal("method_not_allowed", `Call this address with ${allow.split(",", 1)[0]}.`);
    return toWeb(refuse(refusal, requestIdOf(fromWeb(request)), { headers: { allow } }));
  };
