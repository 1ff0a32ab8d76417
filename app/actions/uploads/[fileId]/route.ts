import { uploadAsOwner } from "@/lib/api/uploads";
import { currentOwner } from "@/lib/auth/session";
import { fromWeb, toWeb } from "@/lib/platform/http/http";
import { refuseMethod } from "@/lib/platform/http/methods";
import { onOwnHost } from "@/lib/platform/http/require-own-host";

/** Stores a part of a file for an import. */
export const PUT = onOwnHost(async (request, context: { params: Promise<{ fileId: string }> }) => {
  const { fileId } = await context.params;
  const part = { ...fromWeb(request), query: new URL(request.url).searchParams };
  return toWeb(await uploadAsOwner(part, fileId, currentOwner(), new Date()));
});

const refused = refuseMethod("PUT");

export { refused as DELETE, refused as GET, refused as HEAD, refused as OPTIONS, refused as PATCH, refused as POST };
