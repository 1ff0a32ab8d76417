import { identityRoute } from "@/lib/identity/answer";
import { delegations } from "@/lib/identity/delegations";

/** Answers 405 to other methods than POST. */
const route = identityRoute(delegations);

export { route as DELETE, route as GET, route as HEAD, route as OPTIONS, route as PATCH, route as POST, route as PUT };
