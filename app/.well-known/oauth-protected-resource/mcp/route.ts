import { asDocument, mcpProtectedResource } from "@/lib/oauth/metadata";
import { refuseMethod } from "@/lib/platform/http/methods";
import { onOwnHost } from "@/lib/platform/http/require-own-host";

/** Protected resource metadata of the MCP endpoint (RFC 9728). */
export const GET = onOwnHost(() => asDocument(mcpProtectedResource()));

const refused = refuseMethod("GET, HEAD");

export { refused as DELETE, refused as PATCH, refused as POST, refused as PUT };
