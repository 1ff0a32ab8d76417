import { env } from "@/lib/platform/env";
import { fromWeb, toWeb } from "@/lib/platform/http/http";
import { misdirected, ownHosts } from "@/lib/platform/http/own-hosts";
import { refusalAnswer } from "@/lib/platform/http/refuse-request";
import { requestIdOf } from "@/lib/platform/http/respond";

type Route<Context> = (request: Request, context: Context) => Response | Promise<Response>;

/**
 * Wraps a Next API route to answer 421 for a foreign Host header. `npm start` refuses such requests before Next, and
 * `proxy.ts` refuses them for pages; API routes need this under `next start` alone.
 */
export const onOwnHost =
  <Context>(route: Route<Context>): Route<Context> =>
  (request, context) => {
    if (ownHosts(env())(request.headers.get("host"))) return route(request, context);
    const { pathname } = new URL(request.url);
    return toWeb(refusalAnswer(pathname, misdirected(env().BASE_URL), requestIdOf(fromWeb(request))));
  };
