import { answerIdentity } from "@/lib/identity/answer";
import { recoveries } from "@/lib/identity/recoveries";
import { fromWeb, toWeb } from "@/lib/platform/http/http";
import { onOwnHost } from "@/lib/platform/http/require-own-host";

/** Handles all methods: `identify` answers 405 to other methods than POST. */
const answered = onOwnHost(async (request) =>
  toWeb(await answerIdentity({ ...fromWeb(request), method: request.method }, recoveries, new Date())),
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
