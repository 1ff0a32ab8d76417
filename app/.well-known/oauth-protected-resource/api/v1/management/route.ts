import { asDocument, protectedManagement } from "@/lib/oauth/metadata";
import { refuseMethod } from "@/lib/platform/http/methods";
import { onOwnHost } from "@/lib/platform/http/require-own-host";

/** Protected resource metadata of the management API (RFC 9728). */
export const GET = onOwnHost(() => asDocument(protectedManagement()));

const refused = refuseMethod("GET, HEAD");

export { refused as DELETE, refused as PATCH, refused as POST, refused as PUT };
