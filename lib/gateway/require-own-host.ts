import { env } from "@/lib/env";
import { fromWeb, toWeb } from "@/lib/gateway/http";
import { requestIdOf } from "@/lib/gateway/respond";
import { misdirected, ownHosts } from "@/lib/platform/http/own-hosts";
import { refusalAnswer } from "@/lib/platform/http/refuse-request";

type Route<Context> = (request: Request, context: Context) => Response | Promise<Response>;

/**
 * Has a Next route answer 421 under a host that is not the server's own. The server of `npm start` refuses such requests
 * before Next sees them, and `proxy.ts` those for pages; under `next start` alone the routes of the APIs do it.
 */
export const onOwnHost =
  <Context>(route: Route<Context>): Route<Context> =>
  (request, context) => {
    if (ownHosts(env())(request.headers.get("host"))) return route(request, context);
    const { pathname } = new URL(request.url);
    return toWeb(refusalAnswer(pathname, misdirected(env().BASE_URL), requestIdOf(fromWeb(request))));
  };
