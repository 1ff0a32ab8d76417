import { nextAuth } from "@/lib/auth/next-auth";
import { refuseMethod } from "@/lib/gateway/methods";

export { nextAuth as GET, nextAuth as POST };

const refused = refuseMethod("GET, POST");

export { refused as DELETE, refused as PATCH, refused as PUT };
