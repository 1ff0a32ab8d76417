import { nextAuth } from "@/lib/auth/next-auth";
import { refuseMethod } from "@/lib/gateway/methods";
import { onOwnHost } from "@/lib/gateway/require-own-host";

const answered = onOwnHost(nextAuth);

export { answered as GET, answered as POST };

const refused = refuseMethod("GET, POST");

export { refused as DELETE, refused as PATCH, refused as PUT };
