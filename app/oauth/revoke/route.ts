import { oauthRoute } from "@/lib/oauth/entry-point";
import { revokeEndpoint } from "@/lib/oauth/revoke";

/** Token revocation endpoint (RFC 7009). Answers 405 to other methods than POST. */
const revoke = oauthRoute(revokeEndpoint);

export {
  revoke as DELETE,
  revoke as GET,
  revoke as HEAD,
  revoke as OPTIONS,
  revoke as PATCH,
  revoke as POST,
  revoke as PUT,
};
