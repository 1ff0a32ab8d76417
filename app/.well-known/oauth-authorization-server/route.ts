import { asDocument, authorizationServer } from "@/lib/oauth/metadata";
import { refuseMethod } from "@/lib/platform/http/methods";
import { onOwnHost } from "@/lib/platform/http/require-own-host";

/** Authorization server metadata (RFC 8414). */
export const GET = onOwnHost(() => asDocument(authorizationServer()));

const refused = refuseMethod("GET, HEAD");

export { refused as DELETE, refused as PATCH, refused as POST, refused as PUT };
