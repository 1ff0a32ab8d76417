import { registrationRoute as route } from "@/lib/oauth/register";

/** Dynamic client registration (RFC 7591). Answers 405 to other methods than POST. */
export { route as DELETE, route as GET, route as HEAD, route as OPTIONS, route as PATCH, route as POST, route as PUT };
