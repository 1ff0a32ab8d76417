import { oauthRoute } from "@/lib/oauth/entry-point";
import { introspectEndpoint } from "@/lib/oauth/introspect";

/** Token introspection endpoint (RFC 7662). Answers 405 to other methods than POST. */
const introspect = oauthRoute(introspectEndpoint);

export {
  introspect as DELETE,
  introspect as GET,
  introspect as HEAD,
  introspect as OPTIONS,
  introspect as PATCH,
  introspect as POST,
  introspect as PUT,
};
