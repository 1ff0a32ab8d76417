import { currentOwner } from "@/lib/auth/session";
import { perform } from "@/lib/deeds/perform";
import { fromWeb, toWeb } from "@/lib/gateway/http";
import { refuseMethod } from "@/lib/gateway/methods";
import { onOwnHost } from "@/lib/gateway/own-host";

/** What a signed-in person does on one of our pages. */
export const POST = onOwnHost(async (request, context: { params: Promise<{ deedId: string }> }) => {
  const { deedId } = await context.params;
  return toWeb(await perform(fromWeb(request), deedId, await currentOwner(), new Date()));
});

const refused = refuseMethod("POST");

export { refused as DELETE, refused as GET, refused as HEAD, refused as OPTIONS, refused as PATCH, refused as PUT };
