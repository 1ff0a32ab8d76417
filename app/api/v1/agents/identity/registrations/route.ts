import { answerIdentity } from "@/lib/identity/answer";
import { registrations } from "@/lib/identity/registrations";
import { fromWeb, toWeb } from "@/lib/platform/http/http";
import { onOwnHost } from "@/lib/platform/http/require-own-host";

/** Under every method: that only POST is right is for the door to say. */
const answered = onOwnHost(async (request) =>
  toWeb(await answerIdentity({ ...fromWeb(request), method: request.method }, registrations, new Date())),
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
