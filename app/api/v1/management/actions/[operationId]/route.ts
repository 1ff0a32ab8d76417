import { manage } from "@/lib/api/management";
import { fromWeb, toWeb } from "@/lib/platform/http/http";
import { onOwnHost } from "@/lib/platform/http/require-own-host";

/** Runs an operation of the management API. Handles all methods: `manage` answers 405 to the wrong one. */
const route = onOwnHost(async (request, context: { params: Promise<{ operationId: string }> }) => {
  const { operationId } = await context.params;
  const query = new URL(request.url).searchParams;
  const incoming = { ...fromWeb(request), method: request.method, query };
  return toWeb(await manage(incoming, operationId, new Date()));
});

export { route as DELETE, route as GET, route as HEAD, route as OPTIONS, route as PATCH, route as POST, route as PUT };
