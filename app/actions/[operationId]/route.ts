import { after } from "next/server";
import { act } from "@/lib/api/actions";
import { currentOwner } from "@/lib/auth/session";
import { fromWeb, toWeb } from "@/lib/platform/http/http";
import { refuseMethod } from "@/lib/platform/http/methods";
import { onOwnHost } from "@/lib/platform/http/require-own-host";

/** Runs an operation for the person on one of our own pages, signed in or not. */
export const POST = onOwnHost(async (request, context: { params: Promise<{ operationId: string }> }) => {
  const { operationId } = await context.params;
  const { after: work, ...answer } = await act(fromWeb(request), operationId, currentOwner(), new Date());
  if (work) after(work);
  return toWeb(answer);
});

const refused = refuseMethod("POST");

export { refused as DELETE, refused as GET, refused as HEAD, refused as OPTIONS, refused as PATCH, refused as PUT };
