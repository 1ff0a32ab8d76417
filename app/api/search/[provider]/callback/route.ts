import { sidIn } from "@/lib/auth/options";
import { ownerOfSession } from "@/lib/auth/session-row";
import { fromWeb } from "@/lib/platform/http/http";
import { refuseMethod } from "@/lib/platform/http/methods";
import { onOwnHost } from "@/lib/platform/http/require-own-host";
import { requestIdOf } from "@/lib/platform/http/respond";
import { finishConnecting } from "@/lib/search/connect";
import { searchProviders } from "@/lib/search/providers";

/** Where a provider of search data sends the browser of an owner back to. It always gets a page of ours. */
export const GET = onOwnHost(async (request: Request, { params }: { params: Promise<{ provider: string }> }) => {
  const named = (await params).provider;
  const provider = searchProviders.find((known) => known === named);
  if (!provider) return new Response(null, { status: 404 });
  const now = new Date();
  const sid = await sidIn(request.headers.get("cookie"));
  const { path } = await finishConnecting({
    provider,
    params: new URL(request.url).searchParams,
    owner: sid === null ? null : await ownerOfSession(sid, now),
    requestId: requestIdOf(fromWeb(request)),
    now,
  });
  // The code must not be in the address of the next page, nor in its referrer.
  const headers = { location: path, "cache-control": "no-store", "referrer-policy": "no-referrer" };
  return new Response(null, { status: 303, headers });
});

const refused = refuseMethod("GET");

export { refused as DELETE, refused as PATCH, refused as POST, refused as PUT };
