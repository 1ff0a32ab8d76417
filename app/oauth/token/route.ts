import { oauthRoute } from "@/lib/oauth/entry-point";
import { tokenEndpoint } from "@/lib/oauth/token";

/** Tokens, by three grants, under every method: the door says that only POST is right. */
const token = oauthRoute(tokenEndpoint);

export { token as DELETE, token as GET, token as HEAD, token as OPTIONS, token as PATCH, token as POST, token as PUT };
