import { oauthRoute } from "@/lib/oauth/entry-point";
import { revokeEndpoint } from "@/lib/oauth/revoke";

/** Token revocation endpoint (RFC 7009). Answers 405 to other methods than POST. */
const route = oauthRoute(revokeEndpoint);

export { route as DELETE, route as GET, route as HEAD, route as OPTIONS, route as PATCH, route as POST, route as PUT };
