import { refuseMethod } from "@/lib/gateway/methods";
import { onOwnHost } from "@/lib/gateway/require-own-host";
import { asDocument, protectedResource } from "@/lib/oauth/metadata";

/** What the management API is (RFC 9728). */
export const GET = onOwnHost(() => asDocument(protectedResource()));

const refused = refuseMethod("GET, HEAD");

export { refused as DELETE, refused as PATCH, refused as POST, refused as PUT };
