import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { addressRanges } from "@/lib/ingest/enrich/intervals";
import type { Env } from "@/lib/platform/env";
import { clientAddress, isFromThisMachine } from "@/lib/platform/http/address";
import { CALLER_HEADERS } from "@/lib/platform/http/caller";
import { routePattern } from "@/lib/platform/http/route-pattern";
import { TRACKER_PATHS } from "@/lib/platform/http/tracker-paths";
import { localeOf } from "@/lib/platform/locale";
import { log } from "@/lib/platform/log";
import { requestLocales } from "@/lib/platform/request-locale";
import { countAnswer, countAnswerTo } from "@/lib/server/metrics";

const EVENTS = new Set(["/api/event", "/api/v1/events"]);
/** What is asked for thousands of times a second: a line of log for each would cost more than the answer. */
const UNLOGGED = new Set([...EVENTS, ...TRACKER_PATHS]);

/**
 * Sees each request of every HTTP server of this process before it is handled, and each answer: Node publishes them, so
 * that the same holds under our server and under `next start`.
 */
export function observeRequests(env: Env): void {
  const isTrusted = addressRanges(env.TRUSTED_PROXIES);
  const baseUrl = new URL(env.BASE_URL);
  const began = new WeakMap<IncomingMessage, number>();
  subscribe("http.server.request.start", (message) => {
    const { request } = message as { request: IncomingMessage };
    nameCaller(request, isTrusted, baseUrl);
    if (UNLOGGED.has(pathOf(request))) return;
    began.set(request, performance.now());
    // Node calls the handler right after this, and all that it does takes the locale on.
    requestLocales.enterWith(localeOf(request.headers["accept-language"]));
  });
  subscribe("http.server.response.finish", (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    const path = pathOf(request);
    if (EVENTS.has(path)) return countAnswer(path, response.statusCode);
    const start = began.get(request);
    if (start === undefined) return;
    const route = routePattern(path);
    if (route.startsWith("/_next/")) return;
    countAnswerTo(route, response.statusCode);
    const ms = Math.round(performance.now() - start);
    log.info({ method: request.method, route, status: response.statusCode, ms });
  });
}

/** Tells routes and pages who calls. */
function nameCaller(request: IncomingMessage, isTrusted: (address: string) => boolean, baseUrl: URL): void {
  const { headers } = request;
  headers[CALLER_HEADERS.address] = clientAddress(request, isTrusted) ?? "";
  if (EVENTS.has(pathOf(request))) return;
  if (isFromThisMachine(request, baseUrl)) headers[CALLER_HEADERS.local] = "1";
  // Next would believe them. What we are asked under says BASE_URL.
  delete headers["x-forwarded-host"];
  delete headers["x-forwarded-proto"];
}

const pathOf = ({ url = "" }: IncomingMessage): string => url.split("?", 1)[0] as string;
