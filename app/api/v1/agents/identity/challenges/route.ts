import { identityRoute } from "@/lib/identity/answer";
import { challenges } from "@/lib/identity/challenges";

/** Answers 405 to other methods than POST. */
const route = identityRoute(challenges);

export { route as DELETE, route as GET, route as HEAD, route as OPTIONS, route as PATCH, route as POST, route as PUT };
