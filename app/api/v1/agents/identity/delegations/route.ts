import { answerIdentity } from "@/lib/identity/answer";
import { delegations } from "@/lib/identity/delegations";
import { fromWeb, toWeb } from "@/lib/platform/http/http";
import { onOwnHost } from "@/lib/platform/http/require-own-host";

/** Handles all methods: `identify` answers 405 to other methods than POST. */
const answered = onOwnHost(async (request) =>
  toWeb(await answerIdentity({ ...fromWeb(request), method: request.method }, delegations, new Date())),
);

export {
  answered as DELETE,
  answered as GET,
  answered as HEAD,
  answered as OPTIONS,
  answered as PATCH,
  answered as POST,
  answered as PUT,
};
