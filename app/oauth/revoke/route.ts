import { oauthRoute } from "@/lib/oauth/entry-point";
import { revokeEndpoint } from "@/lib/oauth/revoke";

/** The end of a token, under every method: the door says that only POST is right. */
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
