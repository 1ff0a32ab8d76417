import { oauthRoute } from "@/lib/oauth/entry-point";
import { introspectEndpoint } from "@/lib/oauth/introspect";

/** What a token is good for, under every method: the door says that only POST is right. */
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
