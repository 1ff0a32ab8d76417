import { oauthRoute } from "@/lib/oauth/entry-point";
import { introspectEndpoint } from "@/lib/oauth/introspect";

/** Token introspection endpoint (RFC 7662). Answers 405 to other methods than POST. */
const route = oauthRoute(introspectEndpoint);

export { route as DELETE, route as GET, route as HEAD, route as OPTIONS, route as PATCH, route as POST, route as PUT };
