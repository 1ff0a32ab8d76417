import { csrfToken } from "@/lib/auth/reauth";
import { currentOwner } from "@/lib/auth/session";
import { sessionEnded } from "@/lib/auth/session-ended";
import { fromWeb, toWeb } from "@/lib/platform/http/http";
import { refuseMethod } from "@/lib/platform/http/methods";
import { onOwnHost } from "@/lib/platform/http/require-own-host";
import { answer, refuse, requestIdOf } from "@/lib/platform/http/respond";

/**
 * CSRF token and person of the current session, for a page that was opened in an earlier session. Other origins cannot
 * read the response.
 */
export const GET = onOwnHost(async (request) => {
  const requestId = requestIdOf(fromWeb(request));
  try {
    const owner = await currentOwner();
    if (!owner) throw sessionEnded();
    const data = { csrf_token: csrfToken(owner.sid), person_id: owner.personId };
    return toWeb(answer(200, { data, request_id: requestId }, requestId));
  } catch (error) {
    return toWeb(refuse(error, requestId));
  }
});

const refused = refuseMethod("GET, HEAD");

export { refused as DELETE, refused as OPTIONS, refused as PATCH, refused as POST, refused as PUT };
