import { oauthRoute } from "@/lib/oauth/entry-point";
import { tokenEndpoint } from "@/lib/oauth/token";

/** Token endpoint with four grant types. Answers 405 to other methods than POST. */
const token = oauthRoute(tokenEndpoint);

export { token as DELETE, token as GET, token as HEAD, token as OPTIONS, token as PATCH, token as POST, token as PUT };
