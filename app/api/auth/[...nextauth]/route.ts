import { nextAuth } from "@/lib/auth/next-auth";
import { refuseMethod } from "@/lib/platform/http/methods";
import { onOwnHost } from "@/lib/platform/http/require-own-host";

const answered = onOwnHost(nextAuth);

export { answered as GET, answered as POST };

const refused = refuseMethod("GET, POST");

export { refused as DELETE, refused as PATCH, refused as PUT };
