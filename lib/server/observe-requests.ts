import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { INGEST_ROUTES } from "@/lib/ingest/api/requests";
import type { Env } from "@/lib/platform/env";
import { clientAddress, isFromThisMachine } from "@/lib/platform/http/address";
import { CALLER_HEADERS } from "@/lib/platform/http/caller";
import { watchAddress } from "@/lib/platform/http/merged-visitors";
import { routePattern } from "@/lib/platform/http/route-pattern";
import { isTrackerPath } from "@/lib/platform/http/tracker-paths";
import { localeOf } from "@/lib/platform/locale";
import { log } from "@/lib/platform/log";
import { addressRanges } from "@/lib/platform/networks";
import { requestLocales } from "@/lib/platform/request-locale";
import { countAnswer, countAnswerTo } from "@/lib/server/metrics";
import { addCatalogues } from "@/lib/texts/catalogues";
import { chosenLanguage } from "@/lib/texts/languages";

const EVENTS: ReadonlySet<string> = new Set(Object.keys(INGEST_ROUTES));
/** Paths with thousands of requests per second: logging a request would cost more than answering it. */
const isUnlogged = (path: string): boolean => EVENTS.has(path) || isTrackerPath(path);

/**
 * Sets the caller headers of every request, and counts and logs every answer. It subscribes to the diagnostics channels
 * of Node, so that it works for our server and for `next start`.
 */
export function observeRequests(env: Env): void {
  addCatalogues();
  const isTrusted = addressRanges(env.TRUSTED_PROXIES);
  const baseUrl = new URL(env.BASE_URL);
  const began = new WeakMap<IncomingMessage, number>();
  subscribe("http.server.request.start", (message) => {
    const { request } = message as { request: IncomingMessage };
    setCallerHeaders(request, isTrusted, baseUrl);
    if (isUnlogged(pathOfRequest(request))) return;
    began.set(request, performance.now());
    // Node calls the request handler right after this event, so the handler runs with this locale.
    requestLocales.enterWith(localeOf(request.headers["accept-language"], chosenLanguage(request.headers.cookie)));
  });
  subscribe("http.server.response.finish", (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    const path = pathOfRequest(request);
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

/** Sets the headers that tell routes and pages the address of the client. */
function setCallerHeaders(request: IncomingMessage, isTrusted: (address: string) => boolean, baseUrl: URL): void {
  const { headers } = request;
  const address = clientAddress(request, isTrusted);
  headers[CALLER_HEADERS.address] = address ?? "";
  const path = pathOfRequest(request);
  if (INGEST_ROUTES[path]?.fromPages && request.method === "POST") watchAddress(address, headers, new Date());
  if (EVENTS.has(path)) return;
  if (isFromThisMachine(request, baseUrl)) headers[CALLER_HEADERS.local] = "1";
  // Next would trust these headers. BASE_URL is our only public address.
  delete headers["x-forwarded-host"];
  delete headers["x-forwarded-proto"];
}

const pathOfRequest = ({ url = "" }: IncomingMessage): string => url.split("?", 1)[0] as string;
