import { deviceEndpoint } from "@/lib/oauth/device";
import { oauthRoute } from "@/lib/oauth/entry-point";

/** Device authorization endpoint (RFC 8628). Answers 405 to other methods than POST. */
const authorize = oauthRoute(deviceEndpoint);

export {
  authorize as DELETE,
  authorize as GET,
  authorize as HEAD,
  authorize as OPTIONS,
  authorize as PATCH,
  authorize as POST,
  authorize as PUT,
};
