import { deviceEndpoint } from "@/lib/oauth/device";
import { oauthRoute } from "@/lib/oauth/entry-point";

/** A code for a human to type, under every method: the door says that only POST is right. */
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
