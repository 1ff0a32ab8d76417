import { uploadAsAgent, uploadRoute } from "@/lib/api/uploads";
import { refuseMethod } from "@/lib/platform/http/methods";

/** Stores a part of a file for an import. */
export const PUT = uploadRoute(uploadAsAgent);

const refused = refuseMethod("PUT");

export { refused as DELETE, refused as GET, refused as HEAD, refused as OPTIONS, refused as PATCH, refused as POST };
