import { refuseMethod } from "@/lib/gateway/methods";
import { onOwnHost } from "@/lib/gateway/require-own-host";
import { asDocument, authorizationServer } from "@/lib/oauth/metadata";

/** Where tokens come from (RFC 8414). */
export const GET = onOwnHost(() => asDocument(authorizationServer()));

const refused = refuseMethod("GET, HEAD");

export { refused as DELETE, refused as PATCH, refused as POST, refused as PUT };
