import { deviceEndpoint } from "@/lib/oauth/device";
import { oauthRoute } from "@/lib/oauth/entry-point";

/** Device authorization endpoint (RFC 8628). Answers 405 to other methods than POST. */
const route = oauthRoute(deviceEndpoint);

export { route as DELETE, route as GET, route as HEAD, route as OPTIONS, route as PATCH, route as POST, route as PUT };
